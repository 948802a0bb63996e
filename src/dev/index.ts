export { startSession, type Session, type SessionOptions } from './session.js';
export { findSession, type SessionRecord } from './session-file.js';
export type { SessionEvent } from './session-event.js';
