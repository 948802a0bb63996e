import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { errorMessage } from '../../src/base/text/error-message.js';
import { loadManifest, manifestIn } from '../../src/manifest/index.js';
import { importProject } from '../../src/scaffold/import/import-project.js';
import { createTestPlatform } from '../../src/testing/index.js';
import { temporaryFolder, writeFiles } from '../support/temporary-folder.js';

/** A repository of integrations for another platform, with its packages installed. It is not part of this project. */
const repository = process.env['IN_PLACE_REPOSITORY'];
const sdk = fileURLToPath(new URL('../..', import.meta.url));
const events = [
  'installation_setup',
  'space_installation_setup',
  'site_installation_setup',
  'space_view',
  'site_view',
  'space_content_updated',
  'page_feedback',
  'fetch_published_script',
  'fetch_visitor_authentication',
  'installation_deleted',
] as const;

/** A value for every secret, because OAuth fails without one in a converted project. */
function secretsOf(folder: string): Record<string, string> {
  const loaded = loadManifest({ file: manifestIn(folder) ?? '' });
  return loaded.ok ? Object.fromEntries(loaded.value.secrets.map(({ name }) => [name, 'made-up'])) : {};
}

interface Outcome {
  /** The status of each envelope, by its event, request or block. */
  statuses: Record<string, number>;
  /** Why the script does not load. */
  cause?: string;
}

async function tryProject(manifest: string): Promise<Outcome> {
  const statuses: Outcome['statuses'] = {};
  try {
    const platform = await createTestPlatform({
      manifest,
      unstubbed: 'refuse',
      secrets: secretsOf(manifest),
    });
    await platform.install();
    for (const type of events) {
      // An integration for sites gets no events of a space, and the reverse.
      const sent = await platform.trigger({ type }).catch(() => undefined);
      if (sent) statuses[type] = sent.status;
    }
    for (const path of ['/', '/webhook', '/oauth'])
      statuses[`GET ${path}`] = (await platform.fetch(path)).status;
    for (const { id } of platform.integration.blocks)
      statuses[`block ${id}`] = await platform.render(id).then(
        () => 200,
        () => 500,
      );
    await platform.close();
    return { statuses };
  } catch (error) {
    return { statuses, cause: errorMessage(error).split('\n').slice(0, 2).join(' ') };
  }
}

/** Writes what `init --from` makes of a project into a folder that finds the same packages. */
async function convert(folder: string, to: string): Promise<string> {
  const { files } = await importProject(folder, { sdkSpec: '^1.0.0' });
  writeFiles(to, Object.fromEntries(files));
  const own = join(folder, 'node_modules');
  if (existsSync(own)) symlinkSync(own, join(to, 'node_modules'));
  return to;
}

test.skipIf(repository === undefined)(
  'runs each integration of a repository as it is and converted, with the same responses',
  async () => {
    const integrations = join(repository ?? '', 'integrations');
    const copies = temporaryFolder();
    mkdirSync(join(copies, 'node_modules'));
    for (const name of readdirSync(join(repository ?? '', 'node_modules')))
      symlinkSync(join(repository ?? '', 'node_modules', name), join(copies, 'node_modules', name));
    symlinkSync(sdk, join(copies, 'node_modules/integration-platform'));
    const rows: string[] = [];
    const total = {
      projects: 0,
      here: 0,
      there: 0,
      envelopes: 0,
      same: 0,
      blocks: 0,
      rendered: 0,
      renderedThere: 0,
    };
    for (const name of readdirSync(integrations)) {
      const folder = join(integrations, name);
      if (manifestIn(folder) === undefined) continue;
      const here = await tryProject(folder);
      const there = await convert(folder, join(copies, name)).then(tryProject, (error: unknown): Outcome => ({
        statuses: {},
        cause: errorMessage(error),
      }));
      const sent = Object.keys(here.statuses);
      const blocks = sent.filter((one) => one.startsWith('block '));
      const rendered = ({ statuses }: Outcome): number =>
        blocks.filter((one) => statuses[one] === 200).length;
      const different = sent.filter((one) => here.statuses[one] !== there.statuses[one]);
      total.projects += 1;
      total.here += here.cause === undefined ? 1 : 0;
      total.there += there.cause === undefined ? 1 : 0;
      total.envelopes += sent.length;
      total.same += there.cause === undefined ? sent.length - different.length : 0;
      total.blocks += blocks.length;
      total.rendered += rendered(here);
      total.renderedThere += rendered(there);
      const shown = different.map((one) => `${one} ${here.statuses[one]}/${there.statuses[one]}`).join(', ');
      rows.push(
        `| ${name} | ${here.cause ?? `${rendered(here)} of ${blocks.length}`} | ${there.cause ?? `${rendered(there)} of ${blocks.length}`} | ${sent.length} | ${there.cause === undefined ? shown : ''} |`,
      );
    }
    console.log(
      [
        '| integration | blocks in place | blocks converted | envelopes | different |',
        ...rows,
        JSON.stringify(total),
      ].join('\n'),
    );
    expect(total.here).toBeGreaterThanOrEqual(total.there);
  },
);
