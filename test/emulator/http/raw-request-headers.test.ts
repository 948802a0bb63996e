import { expect, test } from 'vitest';
import { readHeaders } from '../../../src/emulator/http/raw-request-headers.js';

const request = new Request('http://localhost/', { headers: { 'x-a': '1' } });

test.each<[what: string, raw: string[] | undefined, headers: Record<string, string>]>([
  ['from the request if there are no raw headers', undefined, { 'x-a': '1' }],
  ['in lower case', ['X-B', '2'], { 'x-b': '2' }],
  ['with the same name', ['X-B', '2', 'x-b', '3'], { 'x-b': '2, 3' }],
  ['with several cookies', ['Cookie', 'a=1', 'cookie', 'b=2'], { cookie: 'a=1; b=2' }],
])('reads request headers %s', (_, raw, headers) => {
  expect(readHeaders(request, raw)).toEqual(headers);
});
