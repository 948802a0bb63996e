import type { JsonDocument } from './json-documents.js';

/** What the commands for recordings print. */
export const recordingDocuments: JsonDocument[] = [
  {
    command: 'record call {call}',
    fields: {
      file: 'the path of the recording',
      written: ['boolean', 'false if the replay differs from the log and `--force` is missing'],
      calls: ['list', 'the names of the recorded calls'],
      replaced: ['list', 'the positions of secrets that were replaced with made-up values'],
      hidden: ['list', "the positions of secrets in the script's own code, which were masked"],
      suspects: ['list', 'the positions of values that look like secrets but were kept'],
      signed: ['list of objects', 'signatures that were created again: `call`, `what` and `secret`'],
      unsigned: ['list of objects', 'signatures that could not be created again: `call` and `what`'],
      leftOut: ['list', 'data that the recording does not contain'],
      changed: [
        'list of objects',
        'calls whose replay differs from the log: `call`, `what`, the first line that differs `before` and `after`, and `why`, if something was left out',
      ],
      unstable: ['list of objects', 'calls that differ between replays: `call` and `why`'],
      privateData: ['list', 'the positions of numbers that look like private data'],
      emails: ['number', 'number of email addresses in the recording'],
      addresses: ['number', 'number of IP addresses in the recording'],
    },
  },
  {
    command: 'replay recordings/call.json',
    fields: {
      same: ['number', 'number of calls with the same result as recorded'],
      different: ['number', 'number of calls with a different result'],
      files: [
        'list of objects',
        'the recordings: `file`, `updated`, and `calls` with `name`, `same`, `durationMs` and `differences`, each with `kind`, `before`, `after` and its position: `at` if it comes from a stack, or `writes` if it is the only place that contains the new text',
      ],
      broken: [
        'list of objects',
        'if you pass several integrations, those that could not be replayed: `manifest` and `message`',
      ],
    },
  },
  {
    command: 'replay --failed',
    fields: {
      groups: [
        'list of objects',
        'one entry for each reason and line: `reason`, `at`, `calls`, `call`, `verdict` (`fixed`, `failing` or `unknown`), and the first line that differs: `before` and `after`. For `failing` and `unknown`, `reason` and `at` describe the replay',
      ],
    },
  },
  {
    command: 'replay recordings --faults',
    fields: {
      variants: ['number', 'how many variants of the recorded calls were tried'],
      requests: ['number', 'how many outbound requests were made to fail'],
      repeated: ['number', 'how many calls were delivered twice'],
      skipped: [
        'list of objects',
        'calls that were not tried, because they no longer behave as recorded: `file` and `name`',
      ],
      ok: ['boolean', 'whether no problems were found'],
      files: ['list', "the script's source files"],
      summary: ['object', 'the number of `errors`, `warnings` and `infos`'],
      diagnostics: [
        'list of objects',
        'the problems, as in `validate`. `help` contains the command that runs this variant again',
      ],
    },
  },
];
