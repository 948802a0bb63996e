import { defineCommand } from '../context/command.js';
import { platformVersion } from '../context/version.js';
import { runAdd } from './add.js';

export const upgrade = defineCommand<{ write?: boolean }>({
  name: 'upgrade',
  summary: 'change a project that was made with an earlier version',
  description:
    'Show what has changed for the project in this folder since the version it was made with, and how its files would be rewritten.',
  options: { '--write': 'also rewrite the files' },
  examples: {
    'platform upgrade': 'show the diff without writing anything',
    'platform upgrade --write': 'rewrite the files',
  },
  run: (context, _, { write = false }) =>
    runAdd(context, { kind: 'upgrade', version: platformVersion }, !write),
});
