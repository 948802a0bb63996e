export { add, type AddResult, type AddWorld, type Piece } from './add/add.js';
export type { InitOptions, InitWorld } from './answers.js';
export { init, type InitResult } from './init.js';
export { initFrom } from './init-from.js';
export { initFromToJson, initToJson, renderInit, renderInitFrom, renderTemplates } from './render-init.js';
export { runCommand } from './run-command.js';
export { templates } from './templates.js';
export { refreshTypes } from './refresh-types.js';
