import { expect, test } from 'vitest';
import { renderEntry } from '../../../src/cli/commands/inspect/render-call.js';
import { createStyle } from '../../../src/terminal/style.js';
import { callEntry } from '../../support/call-entry.js';

test('inspect shows the first 20 lines of the body of an outbound request, and all with --full', () => {
  const content = JSON.stringify(Array.from({ length: 100 }, (_, number) => number));
  const message = { headers: [], body: { encoding: 'utf8' as const, content } };
  const sent = { method: 'GET', url: 'https://a.example/', status: 200, durationMs: 1, response: message };
  const call = { ...callEntry('call_1'), outbound: [sent] } as never;
  const view = { style: createStyle(false), width: 80, wrapAt: 80 };
  const entry = { call, request: undefined, response: undefined };
  const lines = renderEntry(entry, view).split('\n');
  expect(lines.slice(-2)).toEqual(['        18,', '      … 82 more lines (to see them, use --full)']);
  expect(renderEntry(entry, view, true)).toContain('\n        99\n      ]');
});
