import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { UserError } from '../../diagnostics/user-error.js';
import { loadManifest, findManifest } from '../../manifest/index.js';
import type { RecordedCall } from './render-entry.js';

/** A vitest file that plays a recorded call and expects its answer. Gives back the file's path. */
export async function writeRecordedTest(cwd: string, call: RecordedCall, chosen?: string): Promise<string> {
  const manifestFile = findManifest(cwd);
  const loaded = manifestFile === undefined ? undefined : loadManifest({ file: manifestFile });
  const script = loaded?.ok ? loaded.value.integration.script : undefined;
  if (!manifestFile || !script) {
    throw new UserError(
      'no-script',
      'There is no manifest here that names a script.',
      'Run it in the folder of the integration.',
    );
  }
  const folder = dirname(manifestFile);
  const file = chosen === undefined ? join(folder, 'test', `${call.entry.id}.test.ts`) : resolve(cwd, chosen);
  const from = (path: string): string => {
    const shown = relative(dirname(file), join(folder, path)).replaceAll('\\', '/');
    return shown.startsWith('.') ? shown : `./${shown}`;
  };
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(
      file,
      renderRecordedTest(call, { script: from(script), manifest: from('platform-manifest.yaml') }),
      { flag: 'wx' },
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new UserError(
      'file-exists',
      `${relative(cwd, file)} exists already.`,
      'Name another file: --as-test <file>',
    );
  }
  return relative(cwd, file);
}

function renderRecordedTest(
  { entry, request, response }: RecordedCall,
  paths: { script: string; manifest: string },
): string {
  const { event, response: answer } = entry;
  if (!event || !answer)
    throw new UserError('not-playable', 'This entry has no event, or no answer to expect.');
  const text = response ? Buffer.from(response).toString('utf8') : '';
  const { configuration = {} } = entry.environment?.installation ?? {};
  const setUp =
    Object.keys(configuration).length > 0 ? `{ configuration: ${code(configuration, '  ')} }` : '';
  return `import { expect, test } from 'vitest';
import { createTestPlatform } from 'integration-platform/testing';
import integration from '${paths.script.replace(/\.tsx?$/, '.js')}';

test('${event.type} answers as recorded', async () => {
  const platform = await createTestPlatform({
    integration,
    manifest: new URL('${paths.manifest}', import.meta.url),
  });
  await platform.install(${setUp});
  const answer = await ${entry.request ? played(entry.request, entry, request) : `platform.trigger(${code(event, '  ')})`};
  expect(answer.status).toBe(${answer.status});
  expect(${entry.request ? 'await answer.text()' : 'answer.text'}).toBe(${JSON.stringify(text)});
  await platform.close();
});
`;
}

function played(
  { method, url, headers }: { method: string; url: string; headers: [string, string][] },
  entry: RecordedCall['entry'],
  body: Uint8Array | undefined,
): string {
  const { pathname, search } = new URL(url);
  const path = pathname.replace(
    /^.*?\/(?:installations\/[^/]+(?:\/(?:sites|spaces)\/[^/]+)?|integrations\/[^/]+(?!\/installations))(?=\/|$)/,
    '',
  );
  const { siteInstallation, spaceInstallation } = entry.environment ?? {};
  const kept = headers.filter(
    ([name]) =>
      !['host', 'connection', 'content-length', 'user-agent', 'accept', 'accept-encoding'].includes(name),
  );
  const init = {
    ...(method !== 'GET' && { method }),
    ...(kept.length > 0 && { headers: Object.fromEntries(kept) }),
    ...(siteInstallation && { site: siteInstallation.site }),
    ...(spaceInstallation && { space: spaceInstallation.space }),
  };
  const options = code(init, '  ').replace(
    /\n? *\}$/,
    body?.length
      ? `${Object.keys(init).length > 0 ? ',' : ''} body: Buffer.from('${Buffer.from(body).toString('base64')}', 'base64') }`
      : '$&',
  );
  return `platform.fetch(${JSON.stringify(`${path || '/'}${search}`)}, ${options})`;
}

const code = (value: unknown, indent: string): string =>
  JSON.stringify(value, undefined, 2).replaceAll('\n', `\n${indent}`);
