import { SourceMap } from 'node:module';
import type { Loader } from 'esbuild';
import type { Diagnostic } from '../diagnostics/model/diagnostic.js';
import { severityOf } from './problems/bundle-problems.js';
import { transform } from './esbuild.js';
import { codeLoader, type SourceFile } from './source-file.js';
import { computedImport, definedNames, refusedApis, type RefusedApi } from './refused-apis.js';

const mark = (name: string): string => `__unbound_${name.replaceAll('.', '_')}__`;
const namesByMark = new Map(Object.keys(refusedApis).map((name) => [mark(name), name]));
const marks = new RegExp(`${mark('\\w+?')}(?!\\w)`, 'g');
/**
 * Reports a blocked API under each of its names. For all other APIs, reading the property from `globalThis` only tests
 * whether the API exists.
 */
const defines = Object.fromEntries(
  Object.entries(refusedApis).flatMap(([name, { code }]) =>
    [name, ...(code === 'bundle/refused-api' ? [`globalThis.${name}`, `self.${name}`] : [])].map(
      (each) => [each, mark(name)] as const,
    ),
  ),
);
/** Matches the bundler's output for `import(name)` when dynamic imports are not supported. */
const importCalls = /Promise\.resolve\(\)\.then\(\(\) => __toESM\w*\(require\w*\((?!["'])(?!`\.{1,2}\/)/g;

/**
 * Finds uses of APIs that are missing or blocked in production. The bundler's `define` replaces a name with a marker only if
 * the file does not declare that name itself. Each marker in the output is therefore a real use, and its position can be read
 * from the source map. `typeof` only tests whether an API exists, so it does not count as a use.
 */
export async function checkApis(sources: readonly SourceFile[]): Promise<Diagnostic[]> {
  const found = await Promise.all(sources.map(checkSource));
  return found.flat();
}

async function checkSource({ file, text }: SourceFile): Promise<Diagnostic[]> {
  const loader = codeLoader(file);
  if (!loader || !mayUse.test(text)) return [];
  const marked = await markUses(text, loader);
  if (!marked) return [];
  const { code, map } = marked;
  const originals = new SourceMap(JSON.parse(map));
  const lines = code.split('\n');
  return lines.flatMap((line, index) =>
    usesIn(line).flatMap(({ api, column, name }): Diagnostic[] => {
      const entry = originals.findEntry(index, column);
      return 'originalLine' in entry
        ? [diagnose(api, name, { file, line: entry.originalLine + 1, column: entry.originalColumn + 1 })]
        : [];
    }),
  );
}

/** Most sources mention none of these names, so they can skip the slower check. */
const mayUse = new RegExp(`\\b(${[...Object.keys(refusedApis), 'import\\s*\\('].join('|')})`);

/** Returns undefined for a source that cannot be parsed. The build reports that error. */
const markUses = (text: string, loader: Loader) =>
  transform(text, {
    loader,
    define: { ...definedNames, ...defines },
    supported: { 'dynamic-import': false },
    target: 'es2022',
    sourcemap: 'external',
    legalComments: 'none',
    charset: 'utf8',
    logLevel: 'silent',
    tsconfigRaw: { compilerOptions: { jsx: 'preserve', experimentalDecorators: true } },
  }).catch(() => undefined);

interface Use {
  api: RefusedApi;
  name: string;
  /** The offset in the marked code, starting at 0. */
  column: number;
}

function usesIn(line: string): Use[] {
  const globals = [...line.matchAll(marks)].flatMap((match): Use[] => {
    const [whole] = match;
    const name = namesByMark.get(whole) ?? '';
    const api = refusedApis[name];
    const before = line.slice(0, match.index);
    const after = line.slice(match.index + whole.length);
    if (!api || /\btypeof \(?$/.test(before) || api.counts?.(before, after) === false) return [];
    return [{ api, name, column: match.index }];
  });
  const imports = [...line.matchAll(importCalls)].map(({ index }): Use => ({
    api: computedImport,
    name: 'import',
    column: index,
  }));
  return [...globals, ...imports];
}

const diagnose = (
  { code, shown, help }: RefusedApi,
  name: string,
  { file, line, column }: { file: string; line: number; column: number },
): Diagnostic => ({
  code,
  severity: severityOf(code),
  message:
    code === 'bundle/refused-api'
      ? `Production blocks \`${shown}\`.`
      : `\`${shown}\` is not portable: some runtimes do not have it.`,
  help,
  file,
  range: { start: { line, column }, end: { line, column: column + name.length } },
});
