import { defineCommand } from '../../context/command.js';

export const mcp = defineCommand<{ allowChanges?: boolean }>({
  name: 'mcp',
  summary: 'serve coding agents over the Model Context Protocol',
  description:
    'Serve the Model Context Protocol over standard input and output, for the platform that runs in this folder. Agents start it; "platform agent setup" writes the files for that.',
  options: [
    {
      flags: '--allow-changes',
      description: 'also list the tools that send events, edit the configuration and replay calls',
    },
  ],
  examples: [
    { command: 'platform mcp', does: 'eight read-only tools' },
    { command: 'platform mcp --allow-changes', does: 'three more that run the script' },
  ],
  async run(context, _, options) {
    const { runMcp } = await import('./run-mcp.js');
    return runMcp(context, options);
  },
});
