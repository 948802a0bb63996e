import { defineCommand } from '../../context/command.js';

const setup = defineCommand<{ dryRun?: boolean; remove?: boolean; yes?: boolean }>({
  name: 'setup',
  summary: 'set up a project for coding agents',
  description:
    'Create or update the files that coding agents read: AGENTS.md, .agents/skills/platform, .mcp.json and .vscode/mcp.json. Other content in these files is kept.',
  options: [
    { flags: '--dry-run', description: 'show the changes without writing them' },
    { flags: '--remove', description: 'remove everything that this command wrote' },
    { flags: '--yes', description: 'write without asking' },
  ],
  examples: [
    { command: 'platform agent setup', does: 'show the changes and ask for confirmation' },
    { command: 'platform agent setup --dry-run', does: 'show the changes without writing them' },
    { command: 'platform agent setup --remove', does: 'undo it' },
  ],
  async run(context, _, options) {
    const { runSetup } = await import('./run-setup.js');
    return runSetup(context, options);
  },
});

export const agent = defineCommand({
  name: 'agent',
  summary: 'set up a project for coding agents',
  examples: [
    { command: 'platform agent setup', does: 'show the changes and ask for confirmation' },
    { command: 'platform agent setup --remove', does: 'undo it' },
  ],
  subcommands: [setup],
});
