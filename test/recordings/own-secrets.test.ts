import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { LoggedCall } from '../../src/emulator/index.js';
import { fileOfRecording, writeRecording } from '../../src/recordings/file/write-recording.js';
import { renderRecording } from '../../src/recordings/file/render-recording.js';
import { recordCalls, type Recorded } from '../../src/recordings/record/record-calls.js';
import { replayFile } from '../../src/recordings/replay-file.js';
import { replayInNode } from '../../src/sandbox/node/replay-in-node.js';
import { environment } from '../sandbox/sample-call.js';
import { replayProgram } from '../support/child-program.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { integration } from './sample-recording.js';

/** A script that assembles secrets of its own from parts. The platform knows one of them. */
const script = (body: string): { code: string; map: string } => ({
  map: '',
  code: `const join = (...parts) => parts.join('');
    const token = join('bird7Z', 'x9q41K', 'w'), known = join('bird4Q', 'v8n52', 'T'), next = join('bird6W', 'k2m77', 'P');
    export default { async fetch(request) {
      const form = await request.formData();
      const { secrets } = JSON.parse(form.get('environment'));
      const send = (path, init) => fetch('https://api.example' + path, { method: 'POST', ...init });
      ${body}
    } };`,
});

const project = async (body: string) => ({
  integration,
  declared: ['KEY'],
  script: script(body),
  run: replayInNode({ node: process.execPath, childFile: await replayProgram(), version: '1' }),
});

const birds = /bird|Zx9q|Qv8n|Wk2m/i;

interface Sent {
  path: string;
  headers?: [string, string][];
  body?: string;
}

/** Records a call as it is in the log, in which the secrets that the platform knows are masked. */
async function record(
  body: string,
  { outbound, response, keep = [] }: { outbound: Sent[]; response: string; keep?: string[] },
): Promise<Recorded> {
  const logged: LoggedCall = {
    id: 'call_1',
    time: 0,
    event: { type: 'space_view', eventId: 'evt_1', installationId: 'ins_1' } as never,
    environment: { ...environment, secrets: { KEY: '•••' } },
    outbound: outbound.map((sent) => ({
      method: 'POST',
      url: `https://api.example${sent.path}`,
      status: 200,
      time: 0,
      durationMs: 1,
      requestBytes: 0,
      request: {
        headers: sent.headers ?? [],
        ...(sent.body !== undefined && { body: { encoding: 'utf-8', content: sent.body } }),
      },
      response: { headers: [] },
    })) as never,
    response: { status: 200, headers: [['content-type', 'application/json']] } as never,
    responseBody: Buffer.from(response),
  };
  return recordCalls([logged], {
    project: await project(body),
    platformVersion: '0',
    schema: '',
    redact: [],
    keep,
    keepHeaders: [],
    withBinary: false,
  });
}

const sends = `
  await send('/a?api_key=' + token, { headers: { authorization: 'Bearer ' + token, 'x-api-key': token } });
  await send('/b', { headers: { authorization: 'Bearer ' + secrets.KEY }, body: 'note=' + known + '&grant=1&client_secret=' + token });
  await send('/c', { body: JSON.stringify({ note: known, password: token, mine: secrets.KEY }) });
  return Response.json({ token, note: known, mine: secrets.KEY, text: 'It is ' + known + '.', id: crypto.randomUUID() });`;
const log = {
  outbound: [
    {
      path: '/a?api_key=bird7Zx9q41Kw',
      headers: [
        ['authorization', 'Bearer •••'],
        ['x-api-key', '•••'],
      ],
    },
    { path: '/b', headers: [['authorization', 'Bearer •••']], body: 'note=•••&grant=1&client_secret=•••' },
    { path: '/c', body: '{"note":"•••","password":"bird7Zx9q41Kw","mine":"•••"}' },
  ] satisfies Sent[],
  response: `{"token":"bird7Zx9q41Kw","note":"•••","mine":"•••","text":"It is •••.","id":"${crypto.randomUUID()}"}`,
};

test("hides secrets of the script's own code, and still compares everything else", async () => {
  const { recording, report } = await record(sends, log);
  expect(JSON.stringify(recording)).not.toMatch(birds);
  const made = recording.secrets['KEY'] ?? '';
  const [call] = recording.calls;
  expect(call?.outbound).toMatchObject([
    {
      send: 'POST https://api.example/a?api_key=•••',
      headers: { authorization: 'Bearer •••', 'x-api-key': '•••' },
    },
    { headers: { authorization: `Bearer ${made}` }, body: 'note=•••&grant=1&client_secret=•••' },
    { body: { note: '•••', password: '•••', mine: made } },
  ]);
  expect(call?.response?.body).toMatchObject({ token: '•••', note: '•••', mine: made, text: 'It is •••.' });
  expect(report).toMatchObject({ changed: [], unstable: [], replaced: ['KEY'] });
  expect(report.hidden).toEqual(
    expect.arrayContaining(['outbound.send', 'outbound.headers.x-api-key', 'response.body.note']),
  );
});

async function replay(recording: Recorded['recording'], body: string, update = false) {
  const folder = temporaryFolder();
  const file = fileOfRecording(folder, 'own');
  writeRecording(file, recording, { within: folder, replace: false });
  const { results } = await replayFile(file, { folder, ...(await project(body)) }, { update });
  return {
    kinds: results.flatMap(({ differences }) => differences.map(({ kind }) => kind)),
    text: readFileSync(file, 'utf8'),
  };
}

test.each<[change: string, from: string, to: string, kinds: string[]]>([
  ['nothing', '', '', []],
  ['another secret', "'Bearer ' + token", "'Bearer ' + next", []],
  ['no secret', "'Bearer ' + token", "'Basic ' + token", ['outbound']],
  ['another text next to it', 'It is', 'It was', ['response']],
  ['another field', 'grant=1', 'grant=2', ['outbound']],
])('a replay compares what is around a hidden secret: %s', async (_, from, to, kinds) => {
  const { recording } = await record(sends, log);
  expect((await replay(recording, sends.replace(from, to))).kinds).toEqual(kinds);
});

test.each<[change: string, from: string, to: string]>([
  ['a new scheme', "'Bearer ' + token", "'Token ' + token"],
  ['a new secret', 'token, note', 'token: next, more: 1, note'],
  ['a renamed field', 'note: known, mine', 'memo: known, mine'],
  ['a new field', 'token, note', 'token, link: "https://a.example/?access_token=" + next, note'],
  ['a new header', "'Bearer ' + secrets.KEY", "'Bearer ' + secrets.KEY, 'x-token': next"],
  ['a form with other fields', "'note=' + known + '&grant=1", "'grant=2&more=' + known + '"],
  ['a secret in base64', 'text: ', 'packed: btoa("user:" + known), text: '],
  [
    'an error',
    'return Response.json',
    'throw new Error("password=" + next + " is wrong"); return Response.json',
  ],
])('an update does not write a secret of the script: %s', async (_, from, to) => {
  const { recording } = await record(sends, log);
  const { text } = await replay(recording, sends.replace(from, to), true);
  expect(text).not.toBe(renderRecording(recording));
  expect(text).not.toMatch(birds);
  expect(text).not.toContain(Buffer.from('bird4Q').toString('base64'));
});

test('hides a secret with several lines', async () => {
  const body = "return Response.json({ password: token + '&a\\nb' });";
  const { recording, report } = await record(body, {
    outbound: [],
    response: '{"password":"bird7Zx9q41Kw&a\\nb"}',
  });
  expect(recording.calls[0]?.response?.body).toEqual({ password: '•••' });
  expect(report).toMatchObject({ changed: [], unstable: [], hidden: ['response.body.password'] });
});

test('keeps what --keep names, what the script derives from the inputs, and what an updated recording contains', async () => {
  const body = `
    const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secrets.KEY), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const signature = Buffer.from(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode('a'))).toString('hex');
    await send('/a', { headers: { authorization: 'Basic ' + btoa('ada:' + secrets.KEY), 'x-signature': signature } });
    return Response.json({ token, session: crypto.randomUUID() });`;
  const { recording, report } = await record(body, {
    outbound: [{ path: '/a', headers: [['authorization', 'Basic •••']] }],
    response: `{"token":"bird7Zx9q41Kw","session":"${crypto.randomUUID()}"}`,
    keep: ['token'],
  });
  expect(report).toMatchObject({ changed: [], hidden: [] });
  expect(JSON.stringify(recording)).not.toContain('•••');
  const { text } = await replay(recording, body.replace('session', 'more: 1, session'), true);
  expect(text).toContain('"token": "bird7Zx9q41Kw"');
  expect(text).not.toContain('•••');
});
