import { expect, it } from 'vitest';
import { responseMessage } from '../../../src/base/text/response-message.js';

it.each([
  ['{"error":"signature does not match"}', 'signature does not match'],
  ['{"error":"invalid_grant","error_description":"The code has expired."}', 'The code has expired.'],
  ['{"error":{"code":7,"message":"Too old"}}', 'Too old'],
  ['{"errors":[{"message":"first"},{"message":"second"}]}', 'first'],
  ['"quoted"', 'quoted'],
  [' Unknown\n\u001b[31mtenant\u202e ', 'Unknown [31mtenant'],
  ['<!doctype html><title>Sign in</title>', undefined],
  ['{"ok":false}', undefined],
  ['{"error":', undefined],
  ['', undefined],
  ['x'.repeat(201), undefined],
])('reads %j as %j', (body, message) => {
  expect(responseMessage(body)).toBe(message);
});

it('ignores a body that is nested too deeply', () => {
  expect(responseMessage(`${'['.repeat(20_000)}"a"${']'.repeat(20_000)}`)).toBeUndefined();
});
