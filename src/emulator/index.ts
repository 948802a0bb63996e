export { createConsoleFiles } from './console-files.js';
export { createEmulator } from './create-emulator.js';
export type { Emulator, EmulatorOptions } from './emulator.js';
export { tokenReroutes } from './oauth-provider/reroute.js';
export type { EmulatorEvent } from './emulator-event.js';
export { listen } from './listen.js';
export { parseOptions } from './parse-options.js';
