/** A Model Context Protocol server. The command loads it on demand, together with the protocol package. */
export { serveMcp } from './serve-mcp.js';
export type { ManifestProblem, McpWorld } from './tools/tool-context.js';
