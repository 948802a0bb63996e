import type { JsonDocument } from './json-documents.js';

/** What the commands for recordings print. */
export const recordingDocuments: JsonDocument[] = [
  {
    command: 'record call {call}',
    fields: {
      file: 'the path of the recording',
      calls: ['list', 'the names of the recorded calls'],
      replaced: ['list', 'the places of secrets that were replaced with made-up values'],
      signed: ['list of objects', 'what was signed again: `call`, `what` and `secret`'],
      unsigned: ['list of objects', 'what could not be signed again: `call` and `what`'],
      leftOut: ['list', 'what the recording does not contain'],
      changed: ['list of objects', 'calls that respond differently in the replay than in the log'],
      unstable: ['list of objects', 'calls that differ in each replay: `call` and `why`'],
      emails: ['number', 'email addresses in the recording'],
      addresses: ['number', 'IP addresses in the recording'],
    },
  },
  {
    command: 'replay recordings/call.json',
    fields: {
      same: ['number', 'calls that did the same as recorded'],
      different: ['number', 'calls that did something else'],
      files: [
        'list of objects',
        'the recordings: `file`, `updated`, and `calls` with `name`, `same`, `durationMs` and `differences`, each with `kind`, `before`, `after` and the place `at`',
      ],
    },
  },
];
