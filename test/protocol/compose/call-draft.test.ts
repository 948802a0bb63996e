import { expect, it } from 'vitest';
import {
  addressOf,
  draftOfCall,
  setInDraft,
  type CallDraft,
} from '../../../src/protocol/compose/call-draft.js';
import { requestProblems, type RequestToSend } from '../../../src/protocol/compose/request-problems.js';
import type { PlatformEvent } from '../../../src/protocol/events.js';
import { callEntry } from '../../support/call-entry.js';

const url =
  'http://127.0.0.1:4100/v1/integrations/sample/installations/installation_1/sites/site_1/hook?a=1&a=2';
const headers: [string, string][] = [
  ['host', '127.0.0.1:4100'],
  ['content-length', '9'],
  ['content-type', 'application/json'],
  ['x-trace', 'abc'],
];
const request = (): CallDraft => {
  const event: PlatformEvent = {
    eventId: 'e',
    type: 'fetch',
    installationId: 'installation_1',
    request: { url, method: 'POST', headers: Object.fromEntries(headers) },
  };
  const entry = callEntry('call_1', { event, request: { method: 'POST', url, headers } });
  const draft = draftOfCall(entry, Buffer.from('{"a":{"b":1}}'));
  if (!draft) throw new Error('There is no draft.');
  return draft;
};

it('splits a recorded request into fields and drops its connection headers', () => {
  expect(request()).toEqual({
    kind: 'request',
    target: { installation: 'installation_1', site: 'site_1' },
    method: 'POST',
    path: '/hook',
    query: [
      ['a', '1'],
      ['a', '2'],
    ],
    headers: headers.slice(2),
    body: { encoding: 'utf-8', content: '{"a":{"b":1}}' },
  });
});

it('splits a recorded event into fields and drops those that the platform sets itself', () => {
  const event: PlatformEvent = {
    eventId: 'e',
    type: 'space_content_updated',
    installationId: 'installation_1',
    spaceId: 'space_1',
    revisionId: 'r',
  };
  expect(draftOfCall(callEntry('call_1', { event }))).toEqual({
    kind: 'event',
    target: { installation: 'installation_1', space: 'space_1' },
    type: 'space_content_updated',
    event: { revisionId: 'r' },
  });
  expect(draftOfCall(callEntry('call_1'))).toBeUndefined();
});

it.each<[path: string, value: unknown, changed: object | false]>([
  ['method', 'put', { method: 'PUT' }],
  [
    'path',
    '/other',
    {
      path: '/other',
      query: [
        ['a', '1'],
        ['a', '2'],
      ],
    },
  ],
  ['path', '/other?b=%20', { path: '/other', query: [['b', ' ']] }],
  ['query.a', 3, { query: [['a', '3']] }],
  [
    'query.c.d',
    'x',
    {
      query: [
        ['a', '1'],
        ['a', '2'],
        ['c.d', 'x'],
      ],
    },
  ],
  [
    'headers.X-Trace',
    'new',
    {
      headers: [
        ['content-type', 'application/json'],
        ['X-Trace', 'new'],
      ],
    },
  ],
  ['headers.x-trace', null, { headers: [['content-type', 'application/json']] }],
  ['body', 'text', { body: { encoding: 'utf-8', content: 'text' } }],
  ['body.a.b', 2, { body: { encoding: 'utf-8', content: '{"a":{"b":2}}' } }],
  ['host', 'x', false],
  ['query', 'x', false],
  ['body..', 1, false],
])('sets %s to %j in a request', (path, value, changed) => {
  const draft = request();
  expect(setInDraft(draft, path, value) === undefined).toBe(changed !== false);
  if (changed) expect(draft).toMatchObject(changed);
});

it('sets list items in a request body', () => {
  const draft = request();
  expect(setInDraft(draft, 'body', [1])).toBeUndefined();
  expect(setInDraft(draft, 'body.1.a', 2)).toBeUndefined();
  expect(setInDraft(draft, 'body.3', 4)?.message).toBe('3 is not an index of the list, which has 2 items.');
  expect(draft).toMatchObject({ body: { content: '[1,{"a":2}]' } });
});

it('shows the URL exactly as it will be sent', () => {
  expect(addressOf({ path: 'x', query: [['q', 'ä &']] })).toBe('/x?q=%C3%A4+%26');
});

it.each<[part: Partial<RequestToSend>, paths: string[]]>([
  [{}, []],
  [{ method: 'PURGE', headers: [['x-a', 'é']] }, []],
  [
    {
      method: 'G E T',
      path: '/a b',
      headers: [
        ['a b', '1'],
        ['c', 'x\ny'],
        ['', '1'],
      ],
    },
    ['method', 'path', 'headers.0', 'headers.1', 'headers.2'],
  ],
  [{ method: 'TRACE' }, ['method']],
  [{ path: '/../../other' }, ['path']],
  [{ path: '/a/%2E%2e' }, ['path']],
  [{ path: '/a#b' }, ['path']],
  [{ method: 'get', body: { encoding: 'utf-8', content: 'x' } }, ['body']],
])('reports the problems of a request with %j', (part, paths) => {
  const problems = requestProblems({ method: 'POST', path: '/', ...part });
  expect(problems.map(({ path }) => path)).toEqual(paths);
});
