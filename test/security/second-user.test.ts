import { chmodSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startDevProject } from '../support/dev-project.js';
import { asNobody, noSecondUser } from '../support/second-user.js';

/** Runs as the other user: tries everything, and prints one line of JSON a try. */
const attempts = (facts: object): string => `
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
const { pid, folder, urls, scriptPids } = ${JSON.stringify(facts)};
const { origin } = new URL(urls.envelope);
const consoleOrigin = new URL(urls.console).origin;
const say = (what, result) => console.log(JSON.stringify([what, String(result)]));
const attempt = async (what, work) => {
  try { say(what, await work()); } catch (error) { say(what, error.code ?? error.message); }
};
const get = (what, url, init) => attempt(what, async () => {
  const response = await fetch(url, init);
  return response.status + ' ' + (await response.text()).slice(0, 400);
});
await get('GET / (public port)', origin + '/');
await get('GET / (console port)', consoleOrigin + '/');
await get('GET /console/app.js', consoleOrigin + '/console/app.js');
await get('console API without a key', consoleOrigin + '/console/api/overview');
await get('console API with a made-up key', consoleOrigin + '/console/api/overview', { headers: { 'X-Platform-Token': 'A'.repeat(22) } });
await get('console API with Authorization', consoleOrigin + '/console/api/overview', { headers: { Authorization: 'Bearer x' } });
await get('management API without a token', origin + '/api/v1/integrations/boundary');
await get('public endpoint', urls.publicEndpoint);
await get('envelope', origin + '/v1', { method: 'POST' });
await get('OAuth token endpoint', consoleOrigin + '/oauth/token', { method: 'POST' });
await attempt('read session.json', () => readFileSync(folder + '/.platform/session.json', 'utf8'));
await attempt('list .platform', () => readdirSync(folder + '/.platform'));
await attempt('read the database', () => readFileSync(folder + '/.platform/state.db', 'utf8'));
await attempt('write session.json', () => writeFileSync(folder + '/.platform/session.json', '{}'));
for (const [name, id] of [['the platform', pid], ...scriptPids.map((id) => ['the script', id])]) {
  await attempt('command line of ' + name, () => readFileSync('/proc/' + id + '/cmdline', 'utf8').replaceAll('\\0', ' '));
  await attempt('environment of ' + name, () => readFileSync('/proc/' + id + '/environ', 'utf8'));
  await attempt('memory of ' + name, () => readFileSync('/proc/' + id + '/mem').length);
  await attempt('open files of ' + name, () => readdirSync('/proc/' + id + '/fd'));
  await attempt('end ' + name, () => process.kill(id, 'SIGTERM'));
  await attempt('attach a debugger to ' + name, () => process.kill(id, 'SIGUSR1'));
}
await attempt('redirect pages', () => readdirSync('/tmp').filter((name) => name.startsWith('platform-open-')).flatMap((name) => readdirSync('/tmp/' + name)));
`;

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** What may be seen or done; everything else ends with an error of the system. */
const allowed: Record<string, RegExp> = {
  'GET / (public port)': /^200 This is the public port/,
  'GET / (console port)': /^200 <!doctype html>/,
  'GET /console/app.js': /^200 /,
  'console API without a key': /^401 /,
  'console API with a made-up key': /^401 /,
  'console API with Authorization': /^401 /,
  'management API without a token': /^401 /,
  'public endpoint': /^200 OK$/,
  envelope: /^400 .*multipart/,
  'OAuth token endpoint': /^401 /,
  'command line of the platform': /platform\.js dev /,
  'command line of the script': /./,
  'redirect pages': /^(EACCES)?$/,
};

test.skipIf(noSecondUser !== undefined)(
  `another user on the machine can see and do only what is allowed${noSecondUser ? ` (skipped: ${noSecondUser})` : ''}`,
  async () => {
    const project = await startDevProject('projects/boundary');
    try {
      // As most home folders and checkouts are: others may enter and read.
      chmodSync(project.folder, 0o755);
      const { pid = 0 } = project.process;
      const printed = await asNobody(
        attempts({ pid, folder: project.folder, urls: project.urls, scriptPids: childrenOf(pid) }),
      );
      const rows = printed
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as [what: string, result: string]);
      expect(printed).not.toContain(project.key);
      for (const [what, result] of rows)
        expect([what, result]).toEqual([what, expect.stringMatching(allowed[what] ?? /^(EACCES|EPERM)$/)]);
      expect(rows.length).toBeGreaterThan(24);
      expect(project.process.exitCode).toBeNull();
      const table = rows.map(
        ([what, result]) => `  ${what.padEnd(34)} ${(result.split('\n')[0] ?? '').slice(0, 70)}`,
      );
      console.log(`another user (nobody): ${rows.length} tries, 0 with the key\n${table.join('\n')}`);
    } finally {
      await project.close();
    }
  },
);
