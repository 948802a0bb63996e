export type { InitOptions, InitWorld } from './model/init-options.js';
export { init, type InitResult } from './init/init.js';
export type { ImportedProject } from './import/import-project.js';
export { initFrom } from './import/init-from.js';
export { initToJson, renderInit, renderTemplates } from './init/render-init.js';
export { initFromToJson, renderImported, renderInitFrom } from './import/render-init-from.js';
export { renderPoints } from './init/render-init.js';
export { runCommand } from './tools/install-dependencies.js';
export { templates } from './model/template-list.js';
