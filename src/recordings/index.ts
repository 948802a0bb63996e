export { readRecording } from './file/read-recording.js';
export type { RecordedCall, Recording } from './file/recording.js';
export { rehearsalVerdicts, rehearse, type RehearsedCall } from './rehearse.js';
export type { ReplayDifference } from './compare-outcome.js';
export { findRecordings, recordingsIn } from './find-recordings.js';
export { openReplayedProject, type ReplayedProject } from './open-replayed-project.js';
export { positionOfDifference } from './position-of-difference.js';
export {
  replayCalls,
  requireSameIntegration,
  type ReplayOptions,
  type ReplayResult,
} from './replay-calls.js';
export { replayFailures } from './replay-failures.js';
export { readOwnRecording, replayFile, type ReplayedFile } from './replay-file.js';
export {
  changedFact,
  describeRecorded,
  differsFromLog,
  type RecordedFact,
} from './record/describe-recorded.js';
export { saveRecording, type SavedRecording } from './record/save-recording.js';
export {
  acceptHint,
  describeDifferences,
  diffOfDifference,
  explainDifference,
  isAcceptable,
  whyNotUpdated,
} from './describe-differences.js';
export { faultRules } from './faults/judge-fault.js';
export { findFaults, groupFaults, type FaultSearch, type FoundFault } from './faults/try-faults.js';
