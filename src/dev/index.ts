export type { Session } from './session.js';
export type { SessionOptions } from './session-options.js';
export type { FrontSession } from './start-front.js';
export { startSession } from './start-session.js';
export type { SessionEvent } from './events/session-event.js';
export type { RuntimeFacts } from '../sandbox/index.js';
