import { readFileSync } from 'node:fs';
import { commands } from '../../src/cli/commands/index.js';
import { jsonDocuments, verdictOfCall, type JsonDocument } from './json-documents.js';
import { exitCodes } from './exit-codes.js';
import samples from './json-samples.json' with { type: 'json' };
import { blocks, code, entries, fence, sentence } from './markdown.js';

/** The types of the fields that a command prints in the test, by their paths. */
export const typesOf = (command: string): Record<string, string> | undefined =>
  (samples.types as Record<string, Record<string, string>>)[command];

export const typeOfValue = (value: unknown): string => {
  if (!Array.isArray(value)) return value === null ? 'null' : typeof value;
  return value.length === 0 ? 'list' : `list of ${typeOfValue(value[0])}s`;
};

/** The value at `checks[].id`. */
export function valueAt(sample: unknown, path: string): unknown {
  let value = sample;
  for (const step of path.split(/[.]|(?=\[\])/))
    value =
      step === '[]' ? (value as unknown[] | undefined)?.[0] : (value as Record<string, unknown>)?.[step];
  return value;
}

/** The command's words without its arguments, plus the option that makes it print a different document. */
function titleOf(command: string): string {
  const [first = '', second = ''] = command.split(' ');
  const nested =
    first === 'platform-webhooks' || commands.find(({ name }) => name === first)?.subcommands !== undefined;
  const option = /^(?:init|replay).* (--(?:from|list|faults|failed))/.exec(command)?.[1];
  const subject =
    /^(?:inspect|replay) {(.*)}/.exec(command)?.[1] ?? /^replay (recording)s[/]/.exec(command)?.[1];
  return [
    first,
    ...(nested ? [second] : []),
    ...(option ? [option] : []),
    ...(subject ? [`(${subject})`] : []),
  ].join(' ');
}

function describe({ command, about = '', fields }: JsonDocument): string {
  const hasVerdict = Object.keys(verdictOfCall).every((path) => fields[path] === verdictOfCall[path]);
  const own = Object.entries(fields).filter(([path]) => !hasVerdict || !(path in verdictOfCall));
  const others = Object.keys(verdictOfCall).map(code).join(', ');
  return blocks(
    about,
    fieldList(Object.fromEntries(own), typesOf(command)) +
      (hasVerdict ? `\n- ${others}: See [Problem of a call](#problem-of-a-call).` : ''),
  );
}

const fieldList = (fields: JsonDocument['fields'], types: Record<string, string> | undefined): string =>
  entries(
    Object.entries(fields).map(([path, text]) =>
      typeof text === 'string'
        ? // The commands that the test does not run print only strings.
          [path, [types?.[path] ?? 'string'], sentence(text)]
        : [path, [text[0], text[2] ? '' : 'optional'], sentence(text[1])],
    ),
  );

/** Commands that print the same share a section. */
function sections(documents: readonly JsonDocument[]): string[] {
  const titles = new Map<string, string[]>();
  for (const document of documents) {
    const text = describe(document);
    titles.set(text, [...(titles.get(text) ?? []), titleOf(document.command)]);
  }
  return [...titles].map(([text, commands]) => blocks(`## ${commands.join(', ')}`, text));
}

const diagnosticFields: readonly [string, string[], string][] = [
  ['code', ['string'], 'The problem code. `platform explain <code>` explains it.'],
  ['severity', ['string'], '`error`, `warning` or `info`.'],
  ['message', ['string'], 'What is wrong.'],
  ['help', ['string', 'optional'], 'How to fix it.'],
  ['file', ['string', 'optional'], 'The file, relative to the current folder.'],
  [
    'range',
    ['object', 'optional'],
    'The position: `start` and `end`, each with `line` and `column`, starting at 1.',
  ],
];

const streams: readonly [string, string][] = [
  ['platform dev --json', 'see [the lines of `platform dev`](#lines-of-platform-dev)'],
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
    'platform-webhooks worker --json',
    '`ready`: `name`, `database`, `schema`, `metrics`; `trouble`, `lost` and `still-lost` (cannot reconnect): the `reason`; `recovered`: the outage in `seconds`; `delivery-failed` and `endpoint-disabled`: [events for operators](webhook-delivery.md#events-for-operators); `stopping`; `stopped`: the number of `requests`',
  ],
];

const devLines = readFileSync(new URL('dev-lines.md', import.meta.url), 'utf8').trimEnd();

export const jsonPage = (): string =>
  blocks(
    '# JSON output, exit codes and environment variables',
    'With `--json` (or `--format json`), every command prints a JSON document to standard output. Commands that run until you stop them print one document per line. Messages for people go to standard error. `version` is the format version, which is 1. Later versions may add fields and line types, so ignore unknown ones. Times are in milliseconds since the Unix epoch. Fields without a value are absent. To see a sample, run the command.',
    ...exitCodes,
    '## Errors',
    'A command that cannot run prints this instead, with exit code 2.',
    entries([
      ['error.code', ['string'], 'A stable error code.'],
      ['error.message', ['string'], 'What happened.'],
      ['error.hint', ['string', 'optional'], 'What to do next.'],
    ]),
    fence('json', JSON.stringify(samples.error, undefined, 2)),
    '## Problems',
    'Each entry in `diagnostics` has these fields:',
    entries(diagnosticFields),
    fence('json', JSON.stringify(samples.problem, undefined, 2)),
    '## Problem of a call',
    fieldList(verdictOfCall, undefined),
    '## Streams',
    'These commands print one JSON object per line. `type` is the type of the line:',
    entries(streams.map(([command, lines]) => [command, [], sentence(lines)])),
    devLines,
    ...sections(jsonDocuments),
  );
