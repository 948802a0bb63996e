export type { ScriptModule } from './call-script.js';
export { createInProcessHost, type InProcessHost, type InProcessHostOptions } from './in-process-host.js';
export { createMask, secretsOf } from './mask.js';
export type { Script } from './run-folder.js';
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.js';
export { createReroutingFetch } from './rerouting-fetch.js';
export type {
  OutboundCall,
  OutboundReroute,
  ScriptCall,
  ScriptHost,
  ScriptLog,
  ScriptObserver,
} from './script-host.js';
