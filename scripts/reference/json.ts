import { commands } from '../../src/cli/commands/index.js';
import { jsonDocuments, type JsonDocument } from './json-documents.js';
import samples from './json-samples.json' with { type: 'json' };
import { blocks, code, fence, sentence, table } from './markdown.js';

export const sampleOf = (command: string): Record<string, unknown> | undefined =>
  (samples as Record<string, Record<string, unknown>>)[command];

export const typeOfValue = (value: unknown): string => {
  if (!Array.isArray(value)) return value === null ? 'null' : typeof value;
  return value.length === 0 ? 'list' : `list of ${typeOfValue(value[0])}s`;
};

/** The value at `checks[].id`. */
function valueAt(sample: unknown, path: string): unknown {
  let value = sample;
  for (const step of path.split(/[.]|(?=\[\])/))
    value =
      step === '[]' ? (value as unknown[] | undefined)?.[0] : (value as Record<string, unknown>)?.[step];
  return value;
}

/** The words of the command, without its arguments, and the option that makes another document. */
function titleOf(command: string): string {
  const [first = '', second = ''] = command.split(' ');
  const nested = commands.find(({ name }) => name === first)?.subcommands;
  const option = /^init.* (--(?:from|list))/.exec(command)?.[1];
  const subject = /^inspect {(.*)}/.exec(command)?.[1];
  return [
    first,
    ...(nested ? [second] : []),
    ...(option ? [option] : []),
    ...(subject ? [`(${subject})`] : []),
  ].join(' ');
}

function section({ command, about = '', fields, notRun }: JsonDocument): string {
  const sample = sampleOf(command);
  return blocks(
    `## ${titleOf(command)}`,
    about,
    fence('sh', `platform ${command.replaceAll(/{(\w+)}/g, '"$$$1"')} --json`),
    table(
      ['field', 'type', 'meaning'],
      Object.entries(fields).map(([path, text]) =>
        typeof text === 'string'
          ? [code(path), typeOfValue(valueAt(sample, path)), sentence(text)]
          : [code(path), text[0], sentence(`${text[1]} (optional)`)],
      ),
    ),
    sample ? fence('json', JSON.stringify(sample, undefined, 2)) : '',
    notRun ? `No sample: ${notRun}` : '',
  );
}

const diagnosticFields: readonly [string, string, string][] = [
  ['code', 'string', 'The code: `platform explain <code>` explains it.'],
  ['severity', 'string', '`error`, `warning` or `info`.'],
  ['message', 'string', 'What is wrong.'],
  ['help', 'string', 'What to do about it (optional).'],
  ['file', 'string', 'The file, relative to the current folder (optional).'],
  [
    'range',
    'object',
    'Where: `start` and `end`, each with `line` and `column`, which count from 1 (optional).',
  ],
];

const streams: readonly [string, string][] = [
  ['platform dev --json', 'see [the lines of `platform dev`](dev-json.md)'],
  [
    'platform logs --follow --json',
    '`call`: a call has finished, its `call` is as in `logs`; `log`: a `line` that the script printed after its `call`',
  ],
  ['platform mcp', 'the messages of the Model Context Protocol, one a line, with or without `--json`'],
  ['platform validate --watch --json', '`report`: the files were checked again, fields as in `validate`'],
  [
    'platform webhook listen --json',
    '`ready`: `url` and `secret`; `request`: `number`, `method`, `status`, and of a webhook `event`, `bytes`, `valid` and `duplicate`, with `explanation` if the signature is not valid; a request that was dropped has `dropped`; a request that was not for the receiver is `rejected`, with `status` and `reason`',
  ],
  [
    'platform webhook worker --json',
    '`ready`: `name`, `database`, `schema`, `metrics`; `trouble`, `lost` and `still-lost` (cannot connect again): the `reason`; `recovered`: after how many `seconds`; `stopping`; `stopped`: the number of `requests`',
  ],
];

export const jsonPage = (): string =>
  blocks(
    '# JSON output',
    'Every command takes `--json` (short for `--format json`) and prints one JSON document to standard output. A command that runs until it is stopped prints one document per line. Messages for a person go to standard error. `version` is the version of the format, which is 1. New fields and kinds of lines can be added, so ignore unknown ones. Times are milliseconds since 1970. The samples are real, with long texts and lists cut.',
    '## Errors',
    'A command that cannot run prints this instead, with exit code 2. [Exit codes](exit-codes.md) lists all.',
    table(
      ['field', 'type', 'meaning'],
      [
        [code('error.code'), 'string', 'A code that does not change between versions.'],
        [code('error.message'), 'string', 'What happened.'],
        [code('error.hint'), 'string', 'What to do next (optional).'],
      ],
    ),
    fence('json', JSON.stringify(sampleOf('error'), undefined, 2)),
    '## Problems',
    'An entry of `diagnostics`:',
    table(
      ['field', 'type', 'meaning'],
      diagnosticFields.map(([field, type, meaning]) => [code(field), type, meaning]),
    ),
    fence('json', JSON.stringify(sampleOf('problem'), undefined, 2)),
    '## Streams',
    'One JSON object per line. `type` is the kind of line:',
    table(
      ['command', 'lines'],
      streams.map(([command, lines]) => [code(command), sentence(lines)]),
    ),
    ...jsonDocuments.map(section),
  );
