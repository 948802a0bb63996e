import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const subject = 'Set the version to 0.2.0';

const git = (...args: string[]): string =>
  spawnSync('git', args, { cwd: repository, encoding: 'utf8' }).stdout?.trim() ?? '';

/** Returns the commit of version 0.2.0, or an empty string in a shallow clone or without Git. */
const commitOf = (): string => git('log', '-1', '--format=%H', `--grep=^${subject}$`);

export interface OldVersion {
  /** The Node arguments that run its command. */
  command: readonly string[];
  /** The Node arguments that queue events. Append the schema, comma-separated endpoint ids, a prefix and a number. */
  producer: readonly string[];
  close(): void;
}

/** Checks out the sources of version 0.2.0, which run with the packages of this version. */
export function checkOutOldVersion(): OldVersion | { missing: string } {
  const commit = commitOf();
  if (commit === '') return { missing: `the history has no commit "${subject}" (a shallow clone?)` };
  const folder = mkdtempSync(join(tmpdir(), 'platform-0.2.0-'));
  const archive = join(folder, 'source.tar');
  execFileSync(
    'git',
    ['archive', '--output', archive, commit, 'src', 'schemas', 'scripts', 'templates', 'package.json'],
    { cwd: repository },
  );
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'command.ts'), command);
  writeFileSync(join(folder, 'producer.ts'), producer);
  const loader = ['--import', join(repository, 'node_modules/tsx/dist/loader.mjs')];
  execFileSync(process.execPath, [...loader, 'scripts/generate.ts'], { cwd: folder, stdio: 'ignore' });
  return {
    command: [...loader, join(folder, 'command.ts')],
    producer: [...loader, join(folder, 'producer.ts')],
    close: () => rmSync(folder, { recursive: true }),
  };
}

const command = `import { main } from './src/cli/main.ts';
process.exitCode = await main(process.argv.slice(2));
`;

const producer = `import { createPostgresDeliveryStore } from './src/store/postgres/index.ts';
const [schema, endpoints, prefix, count] = process.argv.slice(2);
const store = await createPostgresDeliveryStore({ schema, url: process.env.PLATFORM_DATABASE_URL });
const ids = endpoints.split(',');
for (let made = 0; made < Number(count); made += ids.length) {
  await store.insert(ids.map((endpointId, at) => {
    const eventId = prefix + '_' + (made + at);
    const body = new TextEncoder().encode(JSON.stringify({ eventId }));
    return { endpointId, installationId: 'ins_1', eventId, eventType: 'site_view', body, createdAt: Date.now() };
  }));
}
await store.close();
`;
