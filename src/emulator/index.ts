export { createConsoleFiles } from './http/console-files.js';
export { openPlatform } from './open-platform.js';
export { openRecords, type RecordsOptions } from './open-records.js';
export type { Editor, EditorOutcome, SourcePosition } from './console/editor-routes.js';
export type { Emulator, PlatformOptions } from './emulator.js';
export { tokenReroutes } from './oauth/redirect-to-local-provider.js';
export type { ClockResource, MovedClock } from '../contract/routes/state.js';
export type { SessionIntegration } from '../contract/routes/overview.js';
export type { FailureReplay, RecordingResource } from '../contract/routes/recordings.js';
export type { EmulatorEvent } from './live/emulator-event.js';
export type { LoggedCall } from './calls/logged-call.js';
export {
  decodedKey,
  digestIn,
  isSignature,
  rawBody,
  signaturesOf,
  type Candidate,
} from './calls/request-signature.js';
export { createStorms } from './calls/storms.js';
export { newId } from './state/new-id.js';
export { readResponse } from './http/limit-body.js';
export { listen, type Listener } from './http/listen.js';
export { isHttpError, type HttpError } from './http/http-error.js';
export { failureOf } from './calls/call-failure.js';
export { chooseLimits, headroomOf } from './calls/headroom.js';
export { parseOptions } from './installations/field-options.js';
export {
  checkConfiguration,
  propertyOf,
  readValue,
  withDefaults,
  wrongValue,
} from './state/check-configuration.js';
export type { FiredEvent } from './calls/event-sender.js';
export { SAVED_STATES } from './time/snapshots.js';
