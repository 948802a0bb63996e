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

/** The command's words without its arguments, plus the option that makes it print a different document. */
function titleOf(command: string): string {
  const [first = '', second = ''] = command.split(' ');
  const nested = commands.find(({ name }) => name === first)?.subcommands;
  const option = /^(?:init|replay).* (--(?:from|list|faults))/.exec(command)?.[1];
  const subject =
    /^(?:inspect|replay) {(.*)}/.exec(command)?.[1] ?? /^replay (recording)s[/]/.exec(command)?.[1];
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
          ? // The commands without a sample print only strings.
            [code(path), sample ? typeOfValue(valueAt(sample, path)) : 'string', sentence(text)]
          : [code(path), text[0], sentence(text[2] ? text[1] : `${text[1]} (optional)`)],
      ),
    ),
    sample ? fence('json', JSON.stringify(sample, undefined, 2)) : '',
    notRun ? `No sample: ${notRun}` : '',
  );
}

const diagnosticFields: readonly [string, string, string][] = [
  ['code', 'string', 'The problem code. `platform explain <code>` explains it.'],
  ['severity', 'string', '`error`, `warning` or `info`.'],
  ['message', 'string', 'What is wrong.'],
  ['help', 'string', 'How to fix it (optional).'],
  ['file', 'string', 'The file, relative to the current folder (optional).'],
  [
    'range',
    'object',
    'The position: `start` and `end`, each with `line` and `column`, starting at 1 (optional).',
  ],
];

const streams: readonly [string, string][] = [
  ['platform dev --json', 'see [platform dev --format json](dev-json.md)'],
  [
    'platform logs --follow --json',
    '`call`: a finished call, as in `logs`; `log`: a `line` that the script printed after the `call`',
  ],
  ['platform mcp', 'Model Context Protocol messages, with or without `--json`'],
  ['platform validate --watch --json', '`report`: the result of a check, as in `validate`'],
  [
    'platform webhook listen --json',
    '`ready`: `url` and `secret`; `request`: `number`, `method`, `status`, and for a webhook also `event`, `bytes`, `valid`, `ageSeconds` if the signature header has a timestamp, `duplicate`, and `explanation` if the signature is invalid; `dropped` is set if the connection was closed; `rejected`: a request for another host, with `status` and `reason`',
  ],
  [
    'platform webhook worker --json',
    '`ready`: `name`, `database`, `schema`, `metrics`; `trouble`, `lost` and `still-lost` (cannot reconnect): the `reason`; `recovered`: the outage in `seconds`; `stopping`; `stopped`: the number of `requests`',
  ],
];

export const jsonPage = (): string =>
  blocks(
    '# JSON output',
    'With `--json` (or `--format json`), every command prints a JSON document to standard output. Commands that run until you stop them print one document per line. Messages for people go to standard error. `version` is the format version, which is 1. Later versions may add fields and line types, so ignore unknown ones. Times are in milliseconds since the Unix epoch. The samples are real, but long strings and lists are shortened.',
    '## Errors',
    'A command that cannot run prints this instead, with exit code 2. See also [Exit codes](exit-codes.md).',
    table(
      ['field', 'type', 'meaning'],
      [
        [code('error.code'), 'string', 'A stable error code.'],
        [code('error.message'), 'string', 'What happened.'],
        [code('error.hint'), 'string', 'What to do next (optional).'],
      ],
    ),
    fence('json', JSON.stringify(sampleOf('error'), undefined, 2)),
    '## Problems',
    'Each entry in `diagnostics` has these fields:',
    table(
      ['field', 'type', 'meaning'],
      diagnosticFields.map(([field, type, meaning]) => [code(field), type, meaning]),
    ),
    fence('json', JSON.stringify(sampleOf('problem'), undefined, 2)),
    '## Streams',
    'These commands print one JSON object per line. `type` is the type of the line:',
    table(
      ['command', 'lines'],
      streams.map(([command, lines]) => [code(command), sentence(lines)]),
    ),
    ...jsonDocuments.map(section),
  );
