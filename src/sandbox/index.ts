export { adviceOnLoading } from './process/process-supervisor.js';
export type { ScriptModule } from './call-script.js';
export { createInProcessHost, type InProcessHostOptions } from './in-process-host.js';
export { createReroutingFetch } from './observe/rerouting-fetch.js';
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.js';
export type { ScriptOutbound, ScriptHost, ScriptLog } from './script-host.js';
