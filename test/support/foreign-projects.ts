import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFixture, type FsFixture } from 'fs-fixture';
import { importProject, type ImportedProject } from '../../src/scaffold/import/import-project.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Projects that were written for another platform. */
export const foreignFolder = join(root, 'test/fixtures/foreign');
export const foreignProjects = readdirSync(foreignFolder);

/** The packages that the projects use from outside. */
const packages = {
  'tiny-router': {
    'index.js': `export const Router = ({ base = '' } = {}) => {
      const routes = [];
      const add = (method) => (path, handle) => void routes.push({ method, path: base + path, handle });
      return {
        get: add('GET'),
        post: add('POST'),
        handle: (request, ...rest) =>
          routes.find(({ method, path }) => method === request.method && path === new URL(request.url).pathname)
            ?.handle(request, ...rest),
      };
    };`,
    'index.d.ts': `type Handle = (request: Request, context: any) => Response | Promise<Response>;
      export declare function Router(options: { base?: string }): {
        get(path: string, handle: Handle): void;
        post(path: string, handle: Handle): void;
        handle(request: Request, context: unknown): Promise<Response | undefined>;
      };`,
  },
  '@acme/api': {
    'index.js': 'export class AcmeAPI { constructor(options) { Object.assign(this, options); } }',
    'index.d.ts': `export declare class AcmeAPI {
        endpoint: string;
        constructor(options: { endpoint?: string; authToken?: string });
      }
      export type GitProvider = 'github' | 'gitlab';
      export interface SpaceViewEvent {
        visitor: { cookies: Record<string, string>; anonymousId: string };
        referrer: string; url: string; spaceId: string; pageId?: string;
      }`,
  },
};

/** Converts the projects with `init --from` and adds the packages that they need. */
export async function importForeignProjects(): Promise<{
  fixture: FsFixture;
  imported: ReadonlyMap<string, ImportedProject>;
}> {
  const fixture = await createFixture({});
  const imported = new Map<string, ImportedProject>();
  const write = (path: string, bytes: string | Uint8Array): void => {
    const file = fixture.getPath(path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  };
  for (const [name, files] of Object.entries(packages)) {
    const about = { name, version: '1.0.0', type: 'module', main: 'index.js', types: 'index.d.ts' };
    write(`node_modules/${name}/package.json`, JSON.stringify(about));
    for (const [path, text] of Object.entries(files)) write(`node_modules/${name}/${path}`, text);
  }
  symlinkSync(root, fixture.getPath('node_modules/integration-platform'));
  for (const name of foreignProjects) {
    const project = await importProject(join(foreignFolder, name), { sdkSpec: '^1.0.0' });
    imported.set(name, project);
    for (const [path, bytes] of project.files) write(`${name}/${path}`, bytes);
  }
  return { fixture, imported };
}
