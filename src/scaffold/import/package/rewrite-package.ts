import { ownProperty } from '../../../base/own-property.js';
import { parsePackageFile, type PackageFile } from '../../tools/read-package-file.js';
import { lineOf, type Note, type Rewritten } from '../model/open-decision.js';
import type { Origin } from '../model/recognise-origin.js';
import { isRange, type SurroundingRepository } from '../model/surrounding-repository.js';
import { sdk } from '../source/rewrite-source.js';
import { moveScripts } from './package-scripts.js';

/** A package that the project needs, even if package.json does not list it. */
export interface WantedPackage {
  name: string;
  kind: 'dependencies' | 'devDependencies';
  by: string;
}

interface Surroundings {
  origin: Origin;
  sdkSpec: string;
  repository: SurroundingRepository;
  wanted: readonly WantedPackage[];
}

/** The versions to use if neither the project nor its repository specifies one. */
const usual: Readonly<Record<string, string>> = {
  typescript: '^5.9.0',
  '@cloudflare/workers-types': '^4.0.0',
  '@types/bun': '^1.0.0',
  'bun-types': '^1.0.0',
  '@types/jest': '^29.0.0',
  '@types/mocha': '^10.0.0',
  '@types/node': '^20.0.0',
};

const kinds = ['dependencies', 'devDependencies', 'peerDependencies'] as const;

/** Removes the previous platform's unused packages, and adds this package and any missing ones. */
export function rewritePackage(text: string, surroundings: Surroundings): Rewritten {
  const { origin, sdkSpec, repository, wanted } = surroundings;
  const parsed = parsePackageFile(text);
  if (!parsed)
    return {
      text,
      notes: [{ message: `This file is not valid JSON, so add ${sdk} to devDependencies yourself.` }],
    };
  const { content, dropped } = parsed;
  const found: { key: string; message: string }[] = [];
  const filled = kinds.filter((kind) => Object.keys(content[kind] ?? {}).length > 0);
  const imported = new Set(wanted.map(({ name }) => name));
  for (const kind of kinds) {
    const stay = Object.entries(content[kind] ?? {}).filter(
      ([name]) => imported.has(name) || !isOf(origin, name),
    );
    if (content[kind])
      content[kind] = Object.fromEntries(stay.map(([name, range]) => [name, ownRange(name, range)]));
  }
  function ownRange(name: string, range: string): string {
    if (isRange(range) || /^file:(?!\.\.)/.test(range)) {
      if (repository.isPart(name) && !isOf(origin, name))
        found.push({
          key: name,
          message: `${name} is a package of the original repository, but "${range}" now refers to a registry. Make sure that the package is published there, or copy it into this folder.`,
        });
      return range;
    }
    const around = repository.rangeOf(name);
    const remedy =
      around === undefined
        ? 'enter a version, or copy the package into this folder.'
        : `it is now "${around}", as in that repository.`;
    found.push({
      key: name,
      message: `${name} was "${range}", which refers to the original repository: ${remedy}`,
    });
    return around ?? '*';
  }
  content.devDependencies = { ...content.devDependencies, [sdk]: sdkSpec };
  const add = ({ name, kind, by }: WantedPackage): boolean => {
    if (dependsOn(content, name)) return true;
    const range = repository.rangeOf(name) ?? ownProperty(usual, name);
    if (range === undefined && by === 'package.json') return false;
    content[kind] = { ...content[kind], [name]: range ?? '*' };
    if (range === undefined)
      found.push({
        key: name,
        message: `${by} needs ${name}, which was not in package.json. Enter a version.`,
      });
    return true;
  };
  wanted.forEach(add);
  const moved = moveScripts(content.scripts ?? {}, origin);
  if (content.scripts) content.scripts = moved.scripts;
  for (const { name, script, program } of moved.wanted)
    if (!add({ name, kind: 'devDependencies', by: 'package.json' }))
      moved.notes.push({
        script,
        message: `The script "${script}" runs ${program}, which no dependency provides.`,
      });
  for (const kind of filled) if (Object.keys(content[kind] ?? {}).length === 0) delete content[kind];
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  const rewritten = `${JSON.stringify(content, null, indent)}\n`;
  const notes = [...found, ...moved.notes.map(({ script, message }) => ({ key: script, message }))].map(
    ({ key, message }): Note => located(rewritten, key, message),
  );
  const removed = dropped.map((path): Note => ({
    message: `${path} had the wrong type, so it was removed.`,
  }));
  return { text: rewritten, notes: [...removed, ...notes].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)) };
}

/** The previous runtime is always removed, because this package replaces it. */
const isOf = ({ runtime, scope }: Origin, name: string): boolean =>
  name === runtime || (scope !== undefined && name.startsWith(scope));

function located(text: string, key: string, message: string): Note {
  const line = lineOf(text, `\n${text.match(/^([ \t]+)"/m)?.[1]?.repeat(2) ?? ''}${JSON.stringify(key)}:`);
  return line === undefined ? { message } : { line: line + 1, message };
}

export const newPackage = (name: string, sdkSpec: string): string =>
  `${JSON.stringify({ name: name.toLowerCase(), private: true, devDependencies: { [sdk]: sdkSpec } }, null, 2)}\n`;

export const dependsOn = (content: PackageFile | undefined, name: string): boolean =>
  kinds.some((kind) => Object.hasOwn(content?.[kind] ?? {}, name));
