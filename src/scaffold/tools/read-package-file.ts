import { join } from 'node:path';
import { readRegularFile } from '../../base/node/regular-file.js';
import { parseObject } from './parse-object.js';
import { isRecord } from '../../base/value-at-path.js';

type Texts = Record<string, string>;

export interface PackageFile {
  name?: string;
  version?: string;
  private?: unknown;
  packageManager?: string;
  scripts?: Texts;
  dependencies?: Texts;
  devDependencies?: Texts;
  peerDependencies?: Texts;
  catalog?: Texts;
  workspaces?: string[] | { packages?: string[]; catalog?: Texts };
}

/** Reads the package.json file in a folder. Returns an empty object if the file does not exist or cannot be read. */
export const readPackageFile = (folder: string): PackageFile =>
  parsePackageFile(readText(join(folder, 'package.json')))?.content ?? {};

export interface ParsedPackage {
  content: PackageFile;
  /** Fields omitted because they have the wrong type, such as `scripts.dev`. */
  dropped: string[];
}

/** Parses a package.json file. Fields that are read later have the correct types. All others are kept unchanged. */
export function parsePackageFile(text: string): ParsedPackage | undefined {
  const value = parseObject(text, JSON.parse);
  if (!value) return undefined;
  const dropped: string[] = [];
  const fits = (right: boolean, path: string): boolean => {
    if (!right) dropped.push(path);
    return right;
  };
  const asText = (item: unknown, path: string) => (fits(typeof item === 'string', path) ? item : undefined);
  const asTexts = (item: unknown, path: string) =>
    fits(isRecord(item), path)
      ? mapped(item as object, (entry, key) => asText(entry, `${path}.${key}`))
      : undefined;
  const asList = (item: unknown, path: string) =>
    fits(Array.isArray(item), path)
      ? (item as unknown[]).filter((entry, index) => fits(typeof entry === 'string', `${path}.${index}`))
      : undefined;
  const readers: Readonly<Record<string, (item: unknown, path: string) => unknown>> = {
    name: asText,
    version: asText,
    packageManager: asText,
    scripts: asTexts,
    dependencies: asTexts,
    devDependencies: asTexts,
    peerDependencies: asTexts,
    catalog: asTexts,
    workspaces: (item, path) =>
      isRecord(item)
        ? mapped(item, (entry, key) =>
            key === 'packages'
              ? asList(entry, `${path}.${key}`)
              : key === 'catalog'
                ? asTexts(entry, `${path}.${key}`)
                : entry,
          )
        : asList(item, path),
  };
  const content = mapped(value, (item, key) =>
    Object.hasOwn(readers, key) ? readers[key]?.(item, key) : item,
  );
  return { content, dropped };
}

/** Returns the object with some of its values replaced. Values that become undefined are omitted. */
const mapped = (value: object, change: (item: unknown, key: string) => unknown): object =>
  Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, change(item, key)] as const)
      .filter(([, item]) => item !== undefined),
  );

/** Returns the patterns for the folders that belong to the workspace, such as `packages/*`. */
export const workspacePatterns = ({ workspaces }: PackageFile): string[] | undefined =>
  Array.isArray(workspaces) ? workspaces : workspaces?.packages;

export function readText(file: string): string {
  try {
    return readRegularFile(file, 1024 * 1024).toString('utf8');
  } catch {
    return '';
  }
}
