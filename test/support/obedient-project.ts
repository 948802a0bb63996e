import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manifestText } from './manifest-text.js';

const manifest = manifestText({
  name: 'obedient',
  title: 'Obedient',
  description: 'Does what the path says.',
  organization: 'org_local',
  more: 'script: src/index.ts\n',
});

const source = `
import { createIntegration, routePath } from 'integration-platform';

export default createIntegration({
  fetch: async (request, { environment }) => {
    const path = routePath(request, environment);
    if (path === '/loop') for (;;);
    if (path === '/hang') await new Promise(() => {});
    if (path === '/slow') await new Promise((resolve) => setTimeout(resolve, 20));
    return new Response('fine');
  },
});
`;

/** Creates a project whose script loops, hangs or responds, depending on the request path. */
export function obedientProject(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'obedient-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'platform-manifest.yaml'), manifest);
  writeFileSync(join(folder, 'src/index.ts'), source);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
