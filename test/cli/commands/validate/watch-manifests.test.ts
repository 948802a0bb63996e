import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createFixture } from 'fs-fixture';
import { expect, onTestFinished, test } from 'vitest';
import { manifestText } from '../../../support/manifest-text.js';
import { runCli } from '../../../support/run-cli.js';

const name = 'platform-manifest.yaml';
const good = manifestText({ scopes: '[space:content:read]' });

interface Line {
  type: string;
  ok: boolean;
  files: string[];
  diagnostics: { code: string }[];
}

async function watching(files: Record<string, string>, argv: string[]) {
  const fixture = await createFixture(files);
  const stop = new AbortController();
  const lines: Line[] = [];
  let wake = (): void => {};
  const ended = runCli(['validate', '--watch', '--json', ...argv], {
    cwd: fixture.path,
    signal: stop.signal,
    onStdout(text) {
      lines.push(JSON.parse(text) as Line);
      wake();
    },
  });
  onTestFinished(async () => {
    stop.abort('SIGINT');
    await ended;
    await fixture.rm();
  });
  const next = async (change: () => void): Promise<Line> => {
    await new Promise((resolve) => setTimeout(resolve, 40));
    lines.length = 0;
    change();
    if (lines.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    const [line] = lines;
    if (!line) throw new Error('woken without a line');
    return line;
  };
  return { path: (file: string) => fixture.getPath(file), next, stop, ended };
}

test('reports each broken version of a manifest and keeps running', async () => {
  const { path, next } = await watching({ [`app/${name}`]: good }, ['app']);
  const file = path(`app/${name}`);
  const steps: [what: string, change: () => void, codes: string[]][] = [
    ['a mistake', () => writeFileSync(file, good.replace('title', 'tilte')), ['manifest/unknown-key']],
    ['mended', () => writeFileSync(file, good), []],
    ['saved as it is', () => writeFileSync(file, good), []],
    ['half typed', () => writeFileSync(file, `${good}blocks: [`), ['manifest/syntax']],
    ['emptied', () => writeFileSync(file, ''), ['manifest/empty-document']],
    ['removed', () => rmSync(file), ['manifest/unreadable']],
    ['written again', () => writeFileSync(file, good), []],
    ['its folder renamed', () => renameSync(path('app'), path('moved')), ['manifest/unreadable']],
    ['renamed back', () => renameSync(path('moved'), path('app')), []],
    ['a missing script', () => writeFileSync(file, `${good}script: src/x.ts\n`), ['manifest/file-not-found']],
    ['which is then made', () => (mkdirSync(path('app/src')), writeFileSync(path('app/src/x.ts'), '')), []],
    ['and removed', () => rmSync(path('app/src'), { recursive: true }), ['manifest/file-not-found']],
  ];
  for (const [what, change, codes] of steps) {
    const line = await next(change);
    expect(
      line.diagnostics.map(({ code }) => code),
      what,
    ).toEqual(codes);
    expect(line, what).toMatchObject({ type: 'report', version: 1, ok: codes.length === 0 });
  }
});

test('detects a manifest that is added to a watched folder', async () => {
  const { path, next } = await watching({ [`apps/a/${name}`]: good }, ['apps']);
  const { files } = await next(() => {
    mkdirSync(path('apps/b'));
    writeFileSync(path(`apps/b/${name}`), good);
  });
  expect(files).toEqual([`apps/a/${name}`, `apps/b/${name}`]);
});

test('stops watching manifests when the abort signal fires', async () => {
  const { stop, ended, next, path } = await watching({ [name]: good }, []);
  await next(() => writeFileSync(path(name), good));
  stop.abort('SIGINT');
  expect((await ended).code).toBe(130);
});

test('prints each report below the previous one in a terminal', async () => {
  await using fixture = await createFixture({ [name]: good });
  const stop = new AbortController();
  let shown = '';
  let saved = false;
  const ended = runCli(['validate', '--watch'], {
    cwd: fixture.path,
    signal: stop.signal,
    onStdout(text) {
      shown += text;
      if (shown.includes('1 error')) stop.abort('SIGINT');
      if (saved) return;
      saved = true;
      setTimeout(() => writeFileSync(fixture.getPath(name), good.replace('title', 'tilte')), 50);
    },
  });
  expect(await ended).toMatchObject({ code: 130, stderr: 'Watching one file. Press Ctrl-C to stop.\n' });
  expect(shown).toMatch(
    /^No problems in 1 file\.\n\nplatform-manifest\.yaml:2:1: error: .*1 error in 1 file\.\nnext: platform validate --fix platform-manifest\.yaml\n$/s,
  );
});
