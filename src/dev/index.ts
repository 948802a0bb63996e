export type { Session, SessionOptions } from './session.js';
export { startSession } from './start-session.js';
export type { SessionEvent } from './session-event.js';
export type { RuntimeFacts } from './settings/choose-runtime.js';
