import type { Note } from '../model/open-decision.js';

/** The manifest with environment variables instead of vault references, and the variables to list in the env files. */
export interface UnlockedManifest {
  text: string;
  notes: Note[];
  /** Variable names, keyed by file: `.env`, or `.env.<name>` for an environment. */
  variables: ReadonlyMap<string, readonly string[]>;
}

const reference = /op:\/\/[^"'\s}]+/;
const entry = /^(\s*)(['"]?)([\w.-]+)\2\s*:(.*)$/s;

/** Matches `${{ "op://vault/item/field" }}` in the manifest's secrets, both at the top level and in `envs`. */
export function replaceVaultSecrets(text: string): UnlockedManifest {
  const variables = new Map<string, string[]>();
  const notes: Note[] = [];
  const lines = text.split('\n');
  const entries = entriesOf(lines);
  const declared = new Map(
    entries.flatMap(({ path, value }) => {
      const name = /\$\{\{\s*env\.([A-Za-z_]\w*)\s*\}\}/.exec(value)?.[1];
      return path.length === 2 && path[0] === 'secrets' && name !== undefined ? [[path[1] ?? '', name]] : [];
    }),
  );
  for (const { line, path, value } of entries) {
    const found = reference.exec(value)?.[0];
    const file = fileOf(path);
    const key = path.at(-1) ?? '';
    if (found === undefined || file === undefined) continue;
    const variable = declared.get(key) ?? key.replaceAll(/\W/g, '_').replace(/^(?=\d)/, '_');
    const ending = /\r?$/.exec(lines[line] ?? '')?.[0] ?? '';
    const comment = /(?<!\s)\s+#.*$/s.exec(value.slice(value.indexOf(found) + found.length))?.[0] ?? '';
    const start = (lines[line] ?? '').slice(0, (lines[line] ?? '').indexOf(':') + 1);
    lines[line] = `${start} \${{ env.${variable} }}${comment}${ending}`;
    variables.set(file, [...(variables.get(file) ?? []), variable]);
    notes.push({
      line: line + 1,
      message: `The secret ${key} was ${found}. Enter its value after ${variable}= in ${file}.`,
    });
  }
  for (const [line, content] of lines.entries())
    if (reference.test(content))
      notes.push({
        line: line + 1,
        message: `This refers to ${reference.exec(content)?.[0]}, which is not resolved here.`,
      });
  return { text: lines.join('\n'), notes, variables };
}

const fileOf = (path: readonly string[]): string | undefined => {
  if (path.length === 2 && path[0] === 'secrets') return '.env';
  const [envs, name = '', secrets] = path;
  return path.length === 4 && envs === 'envs' && secrets === 'secrets' && /^[\w-]+$/.test(name)
    ? `.env.${name}`
    : undefined;
};

interface Entry {
  /** Line number, starting at 0. */
  line: number;
  path: string[];
  value: string;
}

function entriesOf(lines: readonly string[]): Entry[] {
  const open: { indent: number; key: string }[] = [];
  return lines.flatMap((content, line) => {
    const [, indent = '', , key = '', value = ''] = entry.exec(content) ?? [];
    if (key === '') return [];
    while ((open.at(-1)?.indent ?? -1) >= indent.length) open.pop();
    open.push({ indent: indent.length, key });
    return [{ line, path: open.map(({ key: name }) => name), value: value.trim() }];
  });
}
