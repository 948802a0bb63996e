/** What a package is for, as a few lines of a script. */
export interface Job {
  /** The package first, and what it needs beside it. */
  install: string[];
  imports: string;
  /** The body of a function of `origin`, an address that responds with JSON. */
  job: string;
  result: unknown;
}

const url = { url: '/json' };

/** Packages that detect their environment, ship a build for browsers or workers, or call `fetch` and `crypto`. */
export const jobs: Job[] = [
  {
    install: ['form-data@4.0.6'],
    imports: `import FormData from 'form-data';`,
    job: `const form = new FormData(); form.append('a', '1'); return form.get('a');`,
    result: '1',
  },
  {
    install: ['cross-fetch@4.1.0'],
    imports: `import fetch, { Response } from 'cross-fetch';`,
    job: `return [await (await fetch(origin + '/json')).json(), typeof Response];`,
    result: [url, 'function'],
  },
  {
    install: ['js-sha256@0.11.1'],
    imports: `import { sha256 } from 'js-sha256';`,
    job: `return sha256('abc').slice(0, 8);`,
    result: 'ba7816bf',
  },
  {
    install: ['axios@1.21.1'],
    imports: `import axios from 'axios';`,
    job: `return (await axios.get(origin + '/json')).data;`,
    result: url,
  },
  {
    install: ['jose@6.2.17'],
    imports: `import { jwtVerify, SignJWT } from 'jose';`,
    job: `const key = new TextEncoder().encode('a secret of at least 32 characters');
      const token = await new SignJWT({ user: 'ann' }).setProtectedHeader({ alg: 'HS256' }).sign(key);
      return (await jwtVerify(token, key)).payload;`,
    result: { user: 'ann' },
  },
  {
    install: ['graphql-request@7.4.0', 'graphql@16.15.0'],
    imports: `import { gql, request } from 'graphql-request';`,
    job: 'return request(origin + "/graphql", gql`{ hello }`);',
    result: { hello: 'world' },
  },
  {
    install: ['octokit@5.0.5'],
    imports: `import { Octokit } from 'octokit';`,
    job: `const octokit = new Octokit({ baseUrl: origin });
      return (await octokit.request('GET /json')).data;`,
    result: url,
  },
  {
    install: ['itty-router@5.0.24'],
    imports: `import { AutoRouter } from 'itty-router';`,
    job: `const router = AutoRouter().get('/hello/:name', ({ name }) => ({ name }));
      return (await router.fetch(new Request('https://a.test/hello/ann'))).json();`,
    result: { name: 'ann' },
  },
  {
    install: ['zod@4.6.7'],
    imports: `import { z } from 'zod';`,
    job: `return z.object({ limit: z.coerce.number() }).parse({ limit: '3' });`,
    result: { limit: 3 },
  },
  {
    install: ['openai@6.49.0'],
    imports: `import OpenAI from 'openai';`,
    job: `const client = new OpenAI({ apiKey: 'key', baseURL: origin });
      const messages = [{ role: 'user' as const, content: 'hi' }];
      const { choices } = await client.chat.completions.create({ model: 'small', messages });
      return choices[0]?.message.content;`,
    result: 'hello',
  },
  {
    install: ['uuid@13.0.2'],
    imports: `import { v4, validate } from 'uuid';`,
    job: `return validate(v4());`,
    result: true,
  },
  {
    install: ['nanoid@5.1.16'],
    imports: `import { nanoid } from 'nanoid';`,
    job: `return nanoid().length;`,
    result: 21,
  },
  {
    install: ['lodash-es@4.18.1'],
    imports: `import { chunk, template } from 'lodash-es';`,
    job: `return [chunk([1, 2, 3], 2), typeof template];`,
    result: [[[1, 2], [3]], 'function'],
  },
  {
    install: ['date-fns@4.4.0'],
    imports: `import { addDays, formatISO } from 'date-fns';`,
    job: `return formatISO(addDays(new Date(2024, 1, 28), 2), { representation: 'date' });`,
    result: '2024-03-01',
  },
  {
    install: ['marked@17.0.6'],
    imports: `import { marked } from 'marked';`,
    job: `return marked.parse('# Hi');`,
    result: '<h1>Hi</h1>\n',
  },
  {
    install: ['yaml@2.9.1'],
    imports: `import { parse, stringify } from 'yaml';`,
    job: `return [parse('a: [1]'), stringify({ b: 2 })];`,
    result: [{ a: [1] }, 'b: 2\n'],
  },
  {
    install: ['@tsndr/cloudflare-worker-jwt@3.2.3'],
    imports: `import jwt from '@tsndr/cloudflare-worker-jwt';`,
    job: `const token = await jwt.sign({ user: 'ann' }, 'secret');
      return Boolean(await jwt.verify(token, 'secret'));`,
    result: true,
  },
  {
    install: ['p-retry@7.1.1'],
    imports: `import pRetry from 'p-retry';`,
    job: `let tries = 0;
      const work = () => { tries += 1; if (tries < 3) throw new Error('not yet'); return tries; };
      return pRetry(work, { minTimeout: 1, factor: 1 });`,
    result: 3,
  },
  {
    install: ['ky@1.14.3'],
    imports: `import ky from 'ky';`,
    job: `return ky.get(origin + '/json').json();`,
    result: url,
  },
  {
    install: ['hono@4.13.19'],
    imports: `import { Hono } from 'hono';`,
    job: `const app = new Hono().get('/hello/:name', (context) => context.json({ name: context.req.param('name') }));
      return (await app.request('/hello/ann')).json();`,
    result: { name: 'ann' },
  },
];
