import { lineOf, noteAt, type Note, type Rewritten } from '../model/open-decision.js';
import type { Origin } from '../model/recognise-origin.js';
import { sdk } from '../source/rewrite-source.js';
import { parseJsonWithComments } from '../../tools/json-with-comments.js';
import type { InheritedSettings } from './inherited-settings.js';
import { workers, type NeededTypes } from './needed-types.js';

export interface TsconfigSurroundings {
  origin: Origin;
  /** Whether the project contains this file. The path is relative to the tsconfig file. */
  has(path: string): boolean;
  inherit(base: string): InheritedSettings | undefined;
  /** Whether to use worker types instead of browser types. */
  workerTypes: boolean;
  /** Entries that `types` must contain if it is set. */
  needed: readonly NeededTypes[];
  /** A file that uses browser APIs. */
  fileOfBrowsers: string | undefined;
  /** Whether these types are provided by a package that is present or can be added. */
  brings(types: string): boolean;
  /** Whether there is any JSX to compile. */
  markup: boolean;
}

type Options = Record<string, unknown>;

/** The settings to use if the base config cannot be found. */
const usual: Options = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'preserve',
  moduleResolution: 'bundler',
  moduleDetection: 'force',
  resolveJsonModule: true,
  jsx: 'react-jsx',
  jsxImportSource: sdk,
  skipLibCheck: true,
  noEmit: true,
};

const usualSettings = (workerTypes: boolean): Options =>
  workerTypes ? { ...usual, lib: ['es2023'], types: [workers] } : usual;

const inJson = (content: object): string => `${JSON.stringify(content, null, 2)}\n`;

export const newTsconfig = (workerTypes: boolean): string =>
  inJson({ compilerOptions: usualSettings(workerTypes), include: ['src'] });

const extending = /"extends"\s*:\s*("[^"]*"|\[[^[\]]*\])\s*(?:,\s*)?/;

/** Keeps the settings and comments. The settings of base files that are not copied are written into the file. */
export function rewriteTsconfig(text: string, own: Options, surroundings: TsconfigSurroundings): Rewritten {
  const { origin, inherit, workerTypes } = surroundings;
  const bases = [...(extending.exec(text)?.[1] ?? '').matchAll(/"([^"]*)"/g)].map(([, name = '']) => name);
  const lost = bases.filter((name) => !reachable(name, surroundings));
  const kept = bases.filter((name) => reachable(name, surroundings));
  const notes: { part: string; message: string }[] = [];
  const inherited: Options = {};
  for (const name of lost) {
    const found = inherit(name);
    Object.assign(inherited, found ? found.options : usualSettings(workerTypes));
    if (!found)
      notes.push({
        part: '"compilerOptions"',
        message: `This file extended ${name}, which was not found. It now contains the usual settings instead.`,
      });
    for (const key of new Set(found?.dropped))
      notes.push({
        part: '"compilerOptions"',
        message: `${name} set ${key} with paths relative to its own folder. Set it in this file.`,
      });
  }
  const settings: Options = { ...inherited, ...own };
  if (settings['jsxImportSource'] === origin.runtime) settings['jsxImportSource'] = sdk;
  const ofKept = kept.map((name) => inherit(name)?.options ?? { unknown: true });
  const effective: Options = Object.assign({}, ...ofKept, settings) as Options;
  if (!('unknown' in effective))
    Object.assign(settings, resolution(effective), markupOf(effective, surroundings));
  if (lost.length > 0 && settings['skipLibCheck'] === undefined) settings['skipLibCheck'] = true;
  const types = typesOf(effective['types'], surroundings);
  if (types.changed) settings['types'] = types.names;
  for (const name of types.lost)
    notes.push({
      part: '"compilerOptions"',
      message: `\`types\` listed ${name}, but no package provides them, so they were removed.`,
    });
  for (const added of types.added)
    notes.push({
      part: '"types"',
      message: `"${added.types}" was added to types, because ${added.because} needs it.`,
    });
  const lib = libOf(effective['lib'], { ...surroundings, types: types.names ?? [] });
  if (lib.changed) settings['lib'] = lib.names;
  if (lib.because !== undefined)
    notes.push({
      part: '"lib"',
      message: `"DOM" was added to lib, because ${lib.because} uses browser APIs.`,
    });
  notes.push(...replacedResolution(own, settings));
  const without = lost.length > 0 ? withoutBases(text, kept) : text;
  const rewritten = withSettings(without, own, settings);
  return {
    text: rewritten,
    notes: notes.map(({ part, message }): Note => located(rewritten, part, message)),
  };
}

const located = (text: string, part: string, message: string): Note =>
  lineOf(text, part) === undefined ? { line: 1, message } : noteAt(text, part, message);

/** Whether the base file is in the project, or in a package with a different scope. */
function reachable(name: string, { origin: { scope }, has }: TsconfigSurroundings): boolean {
  if (name.startsWith('.')) return [name, `${name}.json`, `${name}/tsconfig.json`].some((path) => has(path));
  return scope === undefined || !name.startsWith(scope);
}

const withoutBases = (text: string, kept: readonly string[]): string =>
  text.replace(extending, kept.length > 0 ? `"extends": ${JSON.stringify(kept)},\n  ` : '');

/** The package is found through its `exports`, which older kinds of module resolution ignore. */
function resolution({ module, moduleResolution, target }: Options): Options {
  const settings: Options = target === undefined ? { target: 'es2022' } : {};
  const way = lower(moduleResolution);
  const kind = lower(module);
  const readsExports =
    way === '' ? /^(node(16|18|20|next)|preserve)$/.test(kind) : !/^(node(10)?|classic)$/.test(way);
  if (readsExports) return settings;
  settings['moduleResolution'] = 'bundler';
  if (!/^(es(next|20\d\d|6)|preserve)$/.test(kind)) settings['module'] = 'preserve';
  return settings;
}

const lower = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');

const replacedResolution = (own: Options, settings: Options): { part: string; message: string }[] =>
  ['module', 'moduleResolution']
    .filter((key) => own[key] !== undefined && own[key] !== settings[key])
    .map((key) => ({
      part: `"${key}"`,
      message: `${key} was "${String(own[key])}", so ${sdk}/jsx-runtime could not be found. It is now "${String(settings[key])}".`,
    }));

function markupOf({ jsx, jsxImportSource }: Options, { markup }: TsconfigSurroundings): Options {
  if (!markup || (jsx !== undefined && lower(jsx) !== 'react-jsx')) return {};
  return { jsx: jsx ?? 'react-jsx', ...(jsxImportSource === undefined && { jsxImportSource: sdk }) };
}

/** Removes types that no package provides, and adds types that the sources need. */
function typesOf(value: unknown, { brings, workerTypes, needed }: TsconfigSurroundings) {
  if (!Array.isArray(value)) return { names: undefined, lost: [], changed: false, added: [] };
  const names = value.filter((name): name is string => typeof name === 'string');
  const lost = names.filter((name) => !name.startsWith('.') && name !== workers && !brings(name));
  const kept = new Set(names.filter((name) => !lost.includes(name)));
  if (workerTypes && lost.length > 0) kept.add(workers);
  const added = needed.filter(
    ({ types }) => ![...kept].some((name) => name === types || name.startsWith(`${types}-`)),
  );
  for (const { types } of added) kept.add(types);
  return { names: [...kept], lost, changed: lost.length > 0 || added.length > 0, added };
}

/** The types of fetch, Request and Response come from browsers, workers, Bun or Node. */
function libOf(
  value: unknown,
  { fileOfBrowsers, workerTypes, types }: TsconfigSurroundings & { types: readonly string[] },
): { names: unknown; changed: boolean; because?: string } {
  if (!Array.isArray(value) || value.some((name) => lower(name) === 'dom'))
    return { names: value, changed: false };
  const typed = workerTypes || types.some((name) => /^(bun|node)(-types)?$/.test(name) || name === workers);
  if (fileOfBrowsers === undefined && typed) return { names: value, changed: false };
  const names = [...(value as unknown[]), 'DOM', 'DOM.Iterable'];
  return { names, changed: true, ...(fileOfBrowsers !== undefined && { because: fileOfBrowsers }) };
}

/** Replaces changed values in place, and adds new values at the start. */
function withSettings(text: string, own: Options, settings: Options): string {
  if (/^\s*\{\s*\}\s*$/.test(text)) return inJson({ compilerOptions: settings });
  let changed = text;
  for (const [key, value] of Object.entries(own))
    if (JSON.stringify(value) !== JSON.stringify(settings[key]))
      changed = changed.replace(
        new RegExp(String.raw`("${key}"\s*:\s*)("[^"]*"|\[[^[\]]*\])`),
        (_, head: string) => head + inline(settings[key]),
      );
  const missing = Object.entries(settings).filter(([key]) => !(key in own));
  if (missing.length === 0) return changed;
  const indent = /"compilerOptions"\s*:\s*\{\s*?\n([ \t]+)\S/.exec(changed)?.[1] ?? '    ';
  const lines = missing
    .map(([key, value]) => `\n${indent}${JSON.stringify(key)}: ${inline(value)},`)
    .join('');
  const empty = /"compilerOptions"\s*:\s*\{\s*\}/;
  if (empty.test(changed))
    return changed.replace(
      empty,
      `"compilerOptions": {${lines.slice(0, -1)}\n${indent.slice(0, indent.length / 2)}}`,
    );
  const opened = /"compilerOptions"\s*:\s*\{/;
  if (opened.test(changed)) return changed.replace(opened, (opening) => opening + lines);
  return Object.keys(parseJsonWithComments(changed) ?? { other: true }).length === 0
    ? inJson({ compilerOptions: settings })
    : changed.replace('{', `{\n  "compilerOptions": {${lines.slice(0, -1)}\n  },`);
}

const inline = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map((item) => JSON.stringify(item)).join(', ')}]` : JSON.stringify(value);
