export { adviceOnLoading, isScriptLoadError } from './process/loading-processes.js';
export { nodeRuntime } from './node/node-runtime.js';
export type { ScriptRuntime } from './process/script-process.js';
export type { ScriptModule } from './call-script.js';
export { createInProcessHost, type InProcessHostOptions } from './in-process-host.js';
export { runOutsideScopes } from './observe/call-scope.js';
export { createSandbox, defaultTimeoutMs, type Sandbox, type SandboxOptions } from './sandbox.js';
export type { DefinedIds, ScriptBackground, ScriptOutbound, ScriptHost, ScriptLog } from './script-host.js';
