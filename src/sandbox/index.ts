export { adviceOnLoading, isScriptLoadError } from './process/script-load-error.js';
export { nodeRuntime } from './node/node-runtime.js';
export type { RuntimeFacts, ScriptRuntime, WorkerdFacts } from './process/script-process.js';
export { requireRuntime, runtimes } from './runtimes.js';
export { createStackMapper } from './process/stack-map.js';
export { ProcessPool } from './runner/process-pool.js';
export type { ScriptModule } from './script/call-script.js';
export { createInProcessHost, type InProcessHostOptions } from './in-process-host.js';
export { runOutsideScopes } from './observe/call-scope.js';
export { defaultTimeoutMs } from './runner/call-with-deadline.js';
export { ScriptRunner, type NoScript, type ScriptRunnerOptions } from './runner/script-runner.js';
export type {
  DefinedIds,
  ScriptBackground,
  ScriptOutbound,
  ScriptHost,
  ScriptLog,
  ScriptObserver,
} from './script/script-host.js';
export {
  bodyOf as bodyOfBytes,
  comparable as comparableBody,
  comparableUrl,
  maskedParts,
  matches as matchesMasked,
} from './replay/find-answer.js';
export { seededId } from './replay/seeded-id.js';
export type {
  ReplayAnswer,
  ReplayBody,
  ReplayCall,
  ReplayOutcome,
  SentRequest,
} from './replay/replay-types.js';
export type { RunReplay } from './replay/run-replay.js';
