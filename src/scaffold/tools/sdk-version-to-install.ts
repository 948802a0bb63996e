import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFolder } from '../../base/package-files.js';
import { readRegularFile } from '../../base/node/regular-file.js';

/** The package that contains the running command. */
export const ownPackage = fileURLToPath(packageFolder);

const packageName = 'integration-platform';

/**
 * Returns a dependency on the running version of this package: the file or checkout it was installed from or, if it came
 * from the registry, its version.
 */
export function findSdkSpec(installed: string, project: string): string {
  const home = /^(.*?)[\\/]node_modules[\\/]/.exec(`${installed}/`)?.[1];
  if (home === undefined) return `file:${installed.replaceAll(sep, '/')}`;
  const source = lockedSource(home) ?? declaredSource(home);
  if (source && isFile(source)) {
    const path = resolve(home, source.slice('file:'.length));
    if (existsSync(path)) return `file:${portablePath(home, project, path)}`;
  }
  if (source?.startsWith('git')) return source;
  return `^${String(readJson(join(installed, 'package.json'))['version'])}`;
}

/** In a monorepo that contains both, a relative path is the same for all developers and in CI. */
function portablePath(home: string, project: string, file: string): string {
  const isInside = (path: string): boolean => path.startsWith(`${home}${sep}`);
  return (isInside(project) && isInside(file) ? relative(project, file) : file).replaceAll(sep, '/');
}

const isFile = (source: string): boolean => source.startsWith('file:');

/** In this file, npm stores where each package came from. */
function lockedSource(home: string): string | undefined {
  const { packages } = readJson(join(home, 'node_modules/.package-lock.json'));
  const entry = fieldOf(fieldOf(packages, `node_modules/${packageName}`), 'resolved');
  return typeof entry === 'string' ? entry : undefined;
}

function declaredSource(home: string): string | undefined {
  const project = readJson(join(home, 'package.json'));
  const specs = ['dependencies', 'devDependencies'].map((kind) => fieldOf(project[kind], packageName));
  return specs.find((spec) => typeof spec === 'string')?.replace(/^link:/, 'file:');
}

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;

function readJson(file: string): Record<string, unknown> {
  try {
    return JSON.parse(readRegularFile(file).toString('utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
}
