import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFixture } from 'fs-fixture';
import { expect, onTestFinished } from 'vitest';
import { createBuilder } from '../../../src/dev/reload/builder.js';
import { createFileChanges } from '../../../src/dev/reload/file-changes.js';
import { createReloader, scriptIsBeingBuilt } from '../../../src/dev/reload/reloader.js';
import type { Diagnostic } from '../../../src/diagnostics/model/diagnostic.js';
import type { SessionEvent } from '../../../src/dev/events/session-event.js';
import { systemClock, type SystemClock } from '../../../src/base/clock.js';
import { nodeRuntime, ProcessPool, ScriptRunner } from '../../../src/sandbox/index.js';
import { environment, event } from '../../sandbox/sample-call.js';
import { childProgram } from '../../support/child-program.js';

export const manifest = (changes: Record<string, string> = {}): string => {
  const fields = {
    name: 'sample',
    title: 'Sample',
    description: 'For tests.',
    organization: 'my-org',
    visibility: 'private',
    scopes: '[]',
    script: 'src/index.ts',
    ...changes,
  };
  return Object.entries(fields)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('');
};

/** A script that responds with the value of an expression. */
export const answering = (expression: string, before = ''): string =>
  `${before}\nexport default { fetch: async () => new Response(String(${expression})) };\n`;

export interface Reloading {
  folder: string;
  write(path: string, content: string | Uint8Array): void;
  remove(path: string): void;
  move(from: string, to: string): void;
  /** The reports in short form. */
  told(): string[];
  warnings(): Diagnostic[];
  forget(): void;
  answer(): Promise<string>;
  answers(text: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Keeps a project's script up to date on the disk, without the rest of the platform. A callback can run once
 * the first build has begun, before any file is watched.
 */
export async function reloading(
  files: Record<string, string>,
  meanwhile: (write: (path: string, text: string) => void) => Promise<void> = async () => {},
  clock: SystemClock = systemClock,
  accept: () => void = () => {},
): Promise<Reloading> {
  const fixture = await createFixture({ project: { 'platform-manifest.yaml': manifest(), ...files } });
  const folder = fixture.getPath('project');
  const path = (name: string): string => fixture.getPath('project', name);
  const closing = new AbortController();
  const runner = new ScriptRunner({
    processes: new ProcessPool({
      folder: fixture.path,
      runtime: nodeRuntime({ childFile: await childProgram(), node: process.execPath, version: '1.2.3' }),
    }),
    noScript: scriptIsBeingBuilt,
    observer: { mask: (text) => text, log: () => {}, outbound: () => {}, background: () => {} },
  });
  const builder = createBuilder(join(folder, 'platform-manifest.yaml'), fixture.path);
  const changes = createFileChanges(closing.signal);
  const told: SessionEvent[] = [];
  const began = systemClock.now();
  builder.begin(path('src/index.ts'));
  await meanwhile((name, text) => writeFileSync(path(name), text));
  const reloader = createReloader({
    options: { manifestFile: path('platform-manifest.yaml'), env: {} },
    builder,
    runner,
    clock,
    began,
    tell: (news) => told.push(news),
    accept,
    changes,
  });
  onTestFinished(async () => {
    closing.abort();
    changes.close();
    await reloader.close();
    await runner.close();
    await builder.close();
    await fixture.rm();
  });
  changes.follow(() => void reloader.reload());
  await reloader.reload();
  await reloader.placed();

  const answer = async (): Promise<string> => (await runner.call({ id: 'call', event, environment })).text();
  return {
    folder,
    write(name, content) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
    },
    remove: (name) => rmSync(path(name), { recursive: true }),
    move: (from, to) => renameSync(path(from), path(to)),
    told: () => told.map(summary),
    warnings: () => told.flatMap((news) => (news.type === 'built' ? news.warnings : [])),
    forget: () => void told.splice(0),
    answer,
    answers: (text) => expect.poll(answer, { interval: 5 }).toBe(text),
    close: reloader.close,
  };
}

function summary(news: SessionEvent): string {
  if (news.type === 'broken') return news.diagnostics.map(({ code }) => code).join(' ');
  if (news.type === 'warning') return news.message;
  return news.type;
}
