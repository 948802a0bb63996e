import { defineCommand, parseCount } from '../../context/command.js';
import { filterOptions } from '../../session/filter-options.js';
import type { RecordCommandOptions } from './run-record.js';

export const record = defineCommand<RecordCommandOptions>({
  name: 'record',
  summary: 'save calls from the running platform as a test',
  description:
    'Save calls from the running platform to a file that platform replay can replay offline. Each call is run again with fake secrets, and the file contains the result. Nothing is written if the result differs from the log. Lists every secret that was replaced, without its value. Review the file before you commit it, because only you can recognize other private data.',
  arguments: {
    '[name]': 'file name in recordings/ (default: derived from the call)',
    '[calls...]': 'ids shown by platform logs',
  },
  options: {
    '--last <n>': { description: 'number of most recent calls to record', parse: parseCount },
    ...filterOptions,
    '--redact <path>': {
      description: 'also replace the values of this field, such as email or event.props.user',
      repeat: true,
    },
    '--keep <path>': {
      description: 'do not replace the values of this field, such as configuration.key',
      repeat: true,
    },
    '--keep-header <name>': {
      description: 'also record this request header, and do not replace its value',
      repeat: true,
    },
    '--with-binary': 'include binary bodies',
    '--force': 'overwrite an existing file, and write calls that did not repeat',
  },
  examples: {
    'platform record login --last 3': 'save the 3 most recent calls to recordings/login.json',
    'platform record webhook --type fetch --since 10m': 'save the requests from the last 10 minutes',
    'platform record call_01k': 'save a single call',
  },
  async run(context, [first, ...rest], options) {
    const { runRecord } = await import('./run-record.js');
    const isId = first?.startsWith('call_');
    const [name, ids] = isId && first !== undefined ? [undefined, [first, ...rest]] : [first, rest];
    return runRecord(context, name, ids, options);
  },
});
