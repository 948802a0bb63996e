/** A server for the Model Context Protocol. The command loads it on demand, with the package that speaks the protocol. */
export { serveMcp } from './serve-mcp.js';
export type { ManifestProblem, McpWorld } from './tool-context.js';
