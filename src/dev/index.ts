export { startSession, type Session, type SessionOptions } from './session.js';
export type { SessionEvent } from './session-event.js';
