import { expect, it } from 'vitest';
import { createReroutingFetch } from '../../../src/sandbox/observe/rerouting-fetch.js';

const rules = [{ marker: 'localcode_', url: 'http://127.0.0.1:4100/oauth/token' }];
const away = 'https://provider.example.com/token';
const form = 'grant_type=authorization_code&code=localcode_1';

async function destination(input: string | Request, init?: RequestInit): Promise<string> {
  let sent = '';
  const record: typeof fetch = async (to, given) => {
    const request = new Request(to, given);
    sent = `${request.method} ${request.url} ${await request.text()} ${request.headers.get('accept')}`;
    return new Response();
  };
  await createReroutingFetch(record, rules)(input, init);
  return sent;
}

const headers = { accept: 'application/json' };
const json = { 'content-type': 'application/json', ...headers };
const there = `POST http://127.0.0.1:4100/oauth/token ${form} application/json`;

it.each([
  ['a string body', away, { method: 'POST', headers, body: form }, there],
  ['a form body', away, { method: 'post', headers, body: new URLSearchParams(form) }, there],
  ['a Request object', new Request(away, { method: 'POST', headers: json, body: form }), undefined, there],
  ['no marker', away, { method: 'POST', headers, body: 'code=1' }, `POST ${away} code=1 application/json`],
  ['another method', away, { method: 'PUT', headers, body: form }, `PUT ${away} ${form} application/json`],
  ['a', away, { method: 'POST', headers, body: Buffer.from(form) }, `POST ${away} ${form} application/json`],
  ['no body', away, undefined, `GET ${away}  null`],
])('sends a rerouted fetch to the expected URL with %s', async (_, input, init, expected) => {
  expect(await destination(input, init)).toBe(expected);
});
