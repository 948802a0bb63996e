import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform, type Loader } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

const loaders: Record<string, Loader> = { '.ts': 'ts', '.tsx': 'tsx', '.css': 'css' };

/** What the pictures show: a change here needs new pictures. Comments and line breaks do not count. */
export async function hashSources(): Promise<{ console: string; sample: string }> {
  return { console: await hashFolder('src/console'), sample: await hashFolder('test/fixtures/pictures') };
}

async function hashFolder(folder: string): Promise<string> {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
  const parts = await Promise.all(files.map(async (file) => [file.slice(root.length), await content(file)]));
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

async function content(file: string): Promise<string> {
  const loader = loaders[extname(file)];
  if (!loader) return readFileSync(file).toString('base64');
  return (await transform(readFileSync(file, 'utf8'), { loader, minifyWhitespace: true, jsx: 'preserve' }))
    .code;
}
