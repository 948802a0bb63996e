import { defineCommand, parseCount } from '../../context/command.js';
import { filterOptions } from '../../session/filter-options.js';
import type { RecordCommandOptions } from './run-record.js';

export const record = defineCommand<RecordCommandOptions>({
  name: 'record',
  summary: 'save calls of the running platform as a test',
  description:
    'Save calls of the running platform to a file that platform replay can replay offline. Each call is run again with fake secrets, and that run is what the file contains. Prints every secret that was replaced: review the list before you commit the file, because only you know what else is private.',
  arguments: [
    { syntax: '[name]', description: 'name of the file in recordings/ (default: derived from the call)' },
    { syntax: '[calls...]', description: 'ids printed by platform logs' },
  ],
  options: [
    { flags: '--last <n>', description: 'the newest calls that match', parse: parseCount },
    ...filterOptions,
    {
      flags: '--redact <path>',
      description: 'also replace the values of this field, such as email or event.props.user',
      repeat: true,
    },
    { flags: '--with-binary', description: 'keep bodies that are not text' },
    { flags: '--force', description: 'replace an existing file' },
  ],
  examples: [
    { command: 'platform record login --last 3', does: 'keep the newest 3 calls in recordings/login.json' },
    {
      command: 'platform record webhook --type fetch --since 10m',
      does: 'keep the requests of the last 10 minutes',
    },
    { command: 'platform record call_01k', does: 'keep one call' },
  ],
  async run(context, [first, ...rest], options) {
    const { runRecord } = await import('./run-record.js');
    const isId = first?.startsWith('call_');
    const [name, ids] = isId && first !== undefined ? [undefined, [first, ...rest]] : [first, rest];
    return runRecord(context, name, ids, options);
  },
});
