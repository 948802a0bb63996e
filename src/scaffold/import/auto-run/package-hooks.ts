import { posix } from 'node:path';
import { isRecord } from '../../../base/value-at-path.js';
import { parseObject } from '../../tools/parse-object.js';
import { lineOf } from '../model/open-decision.js';
import { sdk } from '../source/rewrite-source.js';
import { quoted, type AutoRun, type Unsafe } from './auto-run.js';

/** Scripts that package managers run when packages are installed. */
const installScripts =
  /^((pre|post)?install|(pre|post)?prepare|prepublish(only)?|(pre|post)?pack|(pre|post)?dependencies|pnpm:devpreinstall)$/i;

const fields: Readonly<Record<string, { about: string; unsafe?: Unsafe }>> = {
  packageManager: { about: 'Corepack downloads and runs this package manager', unsafe: 'install' },
  devEngines: { about: 'The package manager can download and run this', unsafe: 'install' },
  pnpm: { about: 'pnpm reads these settings when it installs packages', unsafe: 'scripts' },
  patchedDependencies: { about: 'The package manager patches packages with these files', unsafe: 'scripts' },
  trustedDependencies: { about: 'Bun runs the scripts of these packages', unsafe: 'scripts' },
  gypfile: { about: 'npm runs node-gyp when it installs packages', unsafe: 'scripts' },
  husky: { about: 'Git hooks run these commands' },
  'simple-git-hooks': { about: 'Git hooks run these commands' },
  'pre-commit': { about: 'Git hooks run these commands' },
  ghooks: { about: 'Git hooks run these commands' },
  lefthook: { about: 'Git hooks run these commands' },
  gitHooks: { about: 'Git hooks run these commands' },
};

const packageLists = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
  'resolutions',
];

/** Matches a version such as `^1.0.0`, `latest` or `npm:other@1`, or a workspace. */
const ordinary = /^(npm:|workspace:|catalog:|\$)|^[^:/\\]*$/;
/** Matches a literal path. npm interprets other paths as URLs, such as `file:%2E%2E/x` and `file:..\\x`. */
const path = /^(?:(?:file|link|portal):|(?=\.{1,2}\/))([\w@.+-][\w@.+/ -]*)$/;
const plainManager = /^(npm|pnpm|yarn|bun)@\d[\w.-]*(\+sha\d+\.[\da-zA-Z]+)?$/;

export function hooksIn(file: string, text: string): AutoRun[] {
  const content = parseObject(text, JSON.parse);
  if (!content)
    return [
      {
        message: 'This file is not valid JSON, so the scripts that run during installation are unknown.',
        unsafe: 'install',
      },
    ];
  const at = (key: string): { line?: number } => {
    const line = lineOf(text, `${JSON.stringify(key)}:`) ?? lineOf(text, JSON.stringify(key));
    return line === undefined ? {} : { line };
  };
  return [
    ...entriesOf(content['scripts'])
      .filter(([name]) => installScripts.test(name.trim()))
      .map(([name, value]): AutoRun => ({
        ...at(name),
        message: `The script "${name}" runs when packages are installed: ${shown(value)}. Keep it only if you know what it does.`,
        unsafe: 'scripts',
      })),
    ...Object.entries(fields)
      .filter(([key]) => Object.hasOwn(content, key) && !isPlainManager(key, content[key]))
      .map(([key, { about, unsafe }]): AutoRun => ({
        ...at(key),
        message: `${about}: ${shown(content[key])}. Keep it only if you know what it does.`,
        ...(unsafe && { unsafe }),
      })),
    ...packageLists
      .flatMap((list) => versionsIn(content[list]))
      .filter(([name, version]) => name !== sdk && !isOrdinary(version.trim(), posix.dirname(file)))
      .map(([name, version]): AutoRun => ({
        ...at(name),
        message: `${name} is installed from ${quoted(version)}, not from the registry. Keep it only if you trust it.`,
        unsafe: 'scripts',
      })),
  ];
}

/**
 * Whether a version needs no decision. This includes paths to folders in the project, because the package.json file in such
 * a folder is checked separately.
 */
function isOrdinary(version: string, folder: string): boolean {
  const inside = path.exec(version)?.[1];
  return inside === undefined ? ordinary.test(version) : !/^\.\.(\/|$)/.test(posix.join(folder, inside));
}

const isPlainManager = (key: string, value: unknown): boolean =>
  key === 'packageManager' && typeof value === 'string' && plainManager.test(value);

const entriesOf = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : []);

/**
 * Returns names and versions, including those in nested `overrides`. The default for `levels` is more than enough for any
 * package manager.
 */
const versionsIn = (value: unknown, levels = 10): [string, string][] =>
  entriesOf(value).flatMap(([name, version]): [string, string][] =>
    typeof version === 'string' ? [[name, version]] : levels > 0 ? versionsIn(version, levels - 1) : [],
  );

const shown = (value: unknown): string => quoted(typeof value === 'string' ? value : JSON.stringify(value));
