import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFifo } from '../../support/make-fifo.js';
import { sharedFolder, writeFiles } from '../../support/temporary-folder.js';
import { createSample } from '../emulator-under-test.js';

const address = 'http://127.0.0.1:4100/assets/integrations/sample';

const folder = sharedFolder();
writeFiles(folder, {
  'secret.txt': 'secret',
  'public/index.html': '<h1>Hi</h1>',
  'public/app.js': 'let a = 1;',
  'public/a b/data': '{}',
  'public/.env': 'KEY=1',
  'public/functions/api.js': 'secret',
  'public/Functions/api.js': 'secret',
});
const publicFolder = join(folder, 'public');
symlinkSync(join(folder, 'secret.txt'), join(publicFolder, 'out.txt'));
symlinkSync(folder, join(publicFolder, 'up'));
symlinkSync('.env', join(publicFolder, 'env.txt'));
symlinkSync('functions', join(publicFolder, 'FUNCTI~1'));
makeFifo(join(publicFolder, 'pipe'));
const { get, emulator } = createSample(undefined, { publicFolder });

it('includes the assets URL for public/ in the environment and in the API response', async () => {
  expect(emulator.environment({})?.integration.urls.assets).toBe(address);
  const token = emulator.environment({})?.apiTokens.integration ?? '';
  const response = await get('/api/v1/integrations/sample', {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await response.json()).toMatchObject({ urls: { assets: address } });
});

it.each([
  ['/', 200, 'text/html; charset=utf-8', '<h1>Hi</h1>'],
  ['/app.js', 200, 'text/javascript; charset=utf-8', 'let a = 1;'],
  ['/a%20b/data?x=1', 200, 'application/octet-stream', '{}'],
])('serves a file in public/ for GET %s', async (path, status, type, text) => {
  const response = await get(address + path);
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    status,
    type,
    text,
  ]);
});

it.each([
  '/missing.js',
  '/a%20b',
  '/.env',
  '/functions/api.js',
  '/out.txt',
  '/up/secret.txt',
  '/env.txt',
  '/FUNCTI~1/api.js',
  '/Functions/api.js',
  '/pipe',
  '/..%2fsecret.txt',
  '/%2e%2e%2fsecret.txt',
  '/a%00b',
  '/%ff',
  '/..%5csecret.txt',
])('responds with 404 to GET %s', async (path) => {
  expect((await get(address + path)).status).toBe(404);
});

it('never lets a request change a file in public/', async () => {
  const response = await get(`${address}/app.js`, { method: 'PUT', body: 'x' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await get('http://127.0.0.1:4100/assets/integrations/other/app.js')).status).toBe(404);
});

it('provides no assets URL if the public folder is missing or a symlink', async () => {
  const folder = sharedFolder();
  writeFiles(folder, { 'elsewhere/a.txt': 'a' });
  const publicFolder = join(folder, 'public');
  const { get, emulator } = createSample(undefined, { publicFolder });
  expect(emulator.environment({})?.integration.urls).not.toHaveProperty('assets');
  symlinkSync(join(folder, 'elsewhere'), publicFolder);
  expect((await get(`${address}/a.txt`)).status).toBe(404);
});
