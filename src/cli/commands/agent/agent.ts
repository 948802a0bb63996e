import { defineCommand } from '../../context/command.js';

const setup = defineCommand<{ dryRun?: boolean; remove?: boolean; yes?: boolean }>({
  name: 'setup',
  summary: 'set up a project for coding agents',
  description:
    'Create or update the files that coding agents read: AGENTS.md, .agents/skills/platform, .mcp.json and .vscode/mcp.json. Other content in these files is kept.',
  options: {
    '--dry-run': 'show the changes without writing them',
    '--remove': 'remove everything that this command wrote',
    '--yes': 'write without asking',
  },
  examples: {
    'platform agent setup': 'show the changes and ask for confirmation',
    'platform agent setup --dry-run': 'show the changes without writing them',
    'platform agent setup --remove': 'undo it',
  },
  async run(context, _, options) {
    const { runSetup } = await import('./run-setup.js');
    return runSetup(context, options);
  },
});

export const agent = defineCommand({
  name: 'agent',
  summary: 'set up a project for coding agents',
  examples: {
    'platform agent setup': 'show the changes and ask for confirmation',
    'platform agent setup --remove': 'undo it',
  },
  subcommands: [setup],
});
