import type { Origin } from './recognise-origin.js';
import { sdk, type Rewritten } from './rewrite-source.js';
import { workers } from './worker-types.js';

interface Surroundings {
  origin: Origin;
  /** Whether the project has this file. */
  has(path: string): boolean;
  /** Types of workers stand in for those of browsers. */
  workerTypes: boolean;
  /** Whether a dependency of the project brings these types. */
  brings(types: string): boolean;
}

/** The settings that a base from elsewhere gave. */
const base: readonly [key: string, value: unknown][] = [
  ['target', 'es2022'],
  ['lib', ['es2023', 'dom', 'dom.iterable']],
  ['module', 'preserve'],
  ['moduleResolution', 'bundler'],
  ['moduleDetection', 'force'],
  ['resolveJsonModule', true],
  ['jsx', 'react-jsx'],
  ['jsxImportSource', sdk],
  ['skipLibCheck', true],
  ['noEmit', true],
];

const settings = (workerTypes: boolean): (readonly [key: string, value: unknown])[] =>
  workerTypes
    ? [
        ...base.map(([key, value]) => [key, key === 'lib' ? ['es2023'] : value] as const),
        ['types', [workers]],
      ]
    : [...base];

const inJson = (content: object): string => `${JSON.stringify(content, null, 2)}\n`;

export const newTsconfig = (workerTypes: boolean): string =>
  inJson({ compilerOptions: Object.fromEntries(settings(workerTypes)), include: ['src'] });

const extending = /"extends"\s*:\s*("[^"]*"|\[[^\]]*\])\s*,?\s*/;

/** The markup's source, and, where the base stays behind, what it said. Comments and layout stay. */
export function rewriteTsconfig(text: string, surroundings: Surroundings): Rewritten {
  const { origin, has, workerTypes } = surroundings;
  const withMarkup = text.replaceAll(
    /("jsxImportSource"\s*:\s*")([^"]+)(")/g,
    (whole, head: string, module: string, tail: string) =>
      module === origin.runtime ? `${head}${sdk}${tail}` : whole,
  );
  const bases = [...(extending.exec(withMarkup)?.[1] ?? '').matchAll(/"([^"]*)"/g)].map(
    ([, name = '']) => name,
  );
  const lost = bases.filter((name) => !reachable(name, origin, has));
  if (lost.length === 0) return withoutLostTypes({ text: withMarkup, unmapped: [] }, surroundings);

  const kept = bases.filter((name) => !lost.includes(name));
  const without = withMarkup.replace(
    extending,
    kept.length > 0 ? `"extends": ${JSON.stringify(kept)},\n  ` : '',
  );
  const unmapped = lost.map(
    (name) => `it extended ${name}, which is not here: its usual settings were written in its place.`,
  );
  return withoutLostTypes({ text: withSettings(without, workerTypes), unmapped }, surroundings);
}

/** A part of a larger repository names types that are installed for the whole of it. */
function withoutLostTypes({ text, unmapped }: Rewritten, { brings, workerTypes }: Surroundings): Rewritten {
  const lost: string[] = [];
  const rewritten = text.replace(/("types"\s*:\s*\[)([^\]]*)(\])/, (whole, head: string, list: string) => {
    const names = [...list.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name);
    lost.push(...names.filter((name) => !name.startsWith('.') && name !== workers && !brings(name)));
    if (lost.length === 0) return whole;
    const kept = new Set(names.filter((name) => !lost.includes(name)));
    if (workerTypes) kept.add(workers);
    return `${head}${[...kept].map((name) => JSON.stringify(name)).join(', ')}]`;
  });
  const notes = lost.map(
    (name) => `it named the types ${name}, which no dependency brings: they were left out.`,
  );
  return { text: rewritten, unmapped: [...unmapped, ...notes] };
}

const reachable = (name: string, { scope }: Origin, has: (path: string) => boolean): boolean => {
  if (name.startsWith('.')) {
    const path = name.replace(/^(\.\/)+/, '');
    return [path, `${path}.json`, `${path}/tsconfig.json`].some(has);
  }
  return scope === undefined || !name.startsWith(scope);
};

function withSettings(text: string, workerTypes: boolean): string {
  if (/^\s*\{\s*\}\s*$/.test(text))
    return inJson({ compilerOptions: Object.fromEntries(settings(workerTypes)) });
  const missing = settings(workerTypes).filter(([key]) => !text.includes(`"${key}"`));
  const indent = /"compilerOptions"\s*:\s*\{\s*?\n([ \t]+)\S/.exec(text)?.[1] ?? '    ';
  const lines = missing.map(([key, value]) => `\n${indent}${JSON.stringify(key)}: ${JSON.stringify(value)},`);
  const opened = /"compilerOptions"\s*:\s*\{/;
  const whole = opened.test(text)
    ? text.replace(opened, (opening) => opening + lines.join(''))
    : text.replace('{', `{\n  "compilerOptions": {${lines.join('')}\n  },`);
  return workerTypes ? whole : withDom(whole);
}

/** What scripts run with (fetch, Request, Response) is typed there. */
const withDom = (text: string): string =>
  text.replace(/("lib"\s*:\s*\[)([^\]]*)(\])/, (whole, head: string, names: string, tail: string) =>
    /"dom"/i.test(names) ? whole : `${head}${names.trimEnd()}, "DOM", "DOM.Iterable"${tail}`,
  );
