import { defineCommand } from '../../context/command.js';

export const mcp = defineCommand<{ allowChanges?: boolean }>({
  name: 'mcp',
  summary: 'run an MCP server for coding agents',
  description:
    'Run a Model Context Protocol server over standard input and output for the platform running in this folder. Coding agents start it themselves after "platform agent setup".',
  options: {
    '--allow-changes':
      'also provide the tools that send events, edit the configuration, replay calls and let time pass',
  },
  examples: {
    'platform mcp': 'provide only the eight read-only tools',
    'platform mcp --allow-changes': 'also provide the four tools that change something',
  },
  async run(context, _, options) {
    const { runMcp } = await import('./run-mcp.js');
    return runMcp(context, options);
  },
});
