export { createConsoleFiles } from './http/console-files.js';
export { createEmulator, createHeadlessEmulator } from './create-emulator.js';
export type { Emulator, EmulatorOptions, HeadlessEmulator } from './emulator.js';
export { tokenReroutes } from './oauth/redirect-to-local-provider.js';
export type { EmulatorEvent } from './live/emulator-event.js';
export { listen } from './http/listen.js';
export { parseOptions } from './calls/field-options.js';
export { propertyOf, readValue, wrongValue } from './state/check-configuration.js';
export type { FiredEvent } from './calls/fire-and-record.js';
