import { applyFixes, parseManifest } from '../../../manifest/index.js';
import { insertValue } from '../../../manifest/fix/insert-value.js';
import { replaceValue } from '../../../manifest/fix/replace-value.js';
import { defaults } from '../../init/ask-for-missing.js';
import { lineOf, type Rewritten } from '../open-decision.js';
import { sdk } from '../source/rewrite-source.js';
import { setUnknownAside } from './replace-unknown-keys.js';
import { replaceVaultSecrets } from './vault-secrets.js';

/** What the command line says of it. */
export type ManifestChoices = Partial<
  Record<'name' | 'title' | 'description' | 'organization' | 'visibility', string>
>;

const schemaLine = (nodeModules: string): string =>
  `# yaml-language-server: $schema=${nodeModules}/${sdk}/schemas/editor/platform-manifest.schema.json`;

/** What follows from the move; the rest is for the author to mend. */
const mended = new Set(['manifest/duplicate-scope', 'manifest/missing-key']);

export interface RewrittenManifest extends Rewritten {
  /** Variables whose values are no longer read from a vault, by the file that they belong in. */
  variables: ReadonlyMap<string, readonly string[]>;
}

export function rewriteManifest(
  text: string,
  choices: ManifestChoices,
  nodeModules = './node_modules',
): RewrittenManifest {
  const own = text.replace(/^#\s*yaml-language-server:.*\r?\n/m, '');
  const lacking = lacks(own, choices);
  const name = choices.name === undefined ? hyphenated(own) : undefined;
  const chosen = { ...lacking, ...(name && { name: name.here }), ...choices };
  const fixed = mend(choose(withSlashes(withCategories(withScopes(own))), chosen));
  const secrets = replaceVaultSecrets(
    `${schemaLine(nodeModules)}${text.includes('\r\n') ? '\r\n' : '\n'}${fixed}`,
  );
  const { text: whole, notes } = setUnknownAside(secrets.text);
  const at = (key: string, message: string) => ({ line: (lineOf(whole, `\n${key}:`) ?? 0) + 1, message });
  const stoodIn = Object.entries(lacking).map(([key, value]) =>
    at(key, `It had no ${key}, so it is ${JSON.stringify(value)} now: write your own, or use --${key}.`),
  );
  if (name)
    stoodIn.push(at('name', `It was called ${JSON.stringify(name.before)}; here it is ${name.here}.`));
  return { text: whole, notes: [...stoodIn, ...secrets.notes, ...notes], variables: secrets.variables };
}

/** A name stands in addresses here, so it has letters, digits and hyphens alone. */
function hyphenated(text: string): { before: string; here: string } | undefined {
  const [, , before = ''] =
    /^name[ \t]*:[ \t]*(['"]?)(\w[\w.]*(?:[ -][\w.]+)*)\1[ \t]*(?:#.*)?\r?$/m.exec(text) ?? [];
  const here = before
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .join('-');
  return here === before ? undefined : { before, here };
}

/** As the former platform's command leaves it in a new manifest. */
const emptyDescription = /^description[ \t]*:[ \t]*(?:''|"")?[ \t]*\r?\n(?![ \t])/m;

/** What a manifest may leave out elsewhere, and what it runs with here. */
function lacks(text: string, choices: ManifestChoices): ManifestChoices {
  const [, , title] = /^title[ \t]*:[ \t]*(['"]?)(\S.*?)\1[ \t]*\r?$/m.exec(text) ?? [];
  const standIns: ManifestChoices = {
    organization: defaults.organization,
    ...(title !== undefined && { description: title }),
  };
  const said = text.replace(emptyDescription, '');
  const isSaid = (key: string): boolean => new RegExp(`^${key}\\s*:`, 'm').test(said);
  return Object.fromEntries(Object.entries(standIns).filter(([key]) => !(key in choices) && !isSaid(key)));
}

const mend = (text: string): string =>
  applyFixes(
    text,
    parseManifest(text).diagnostics.filter(({ code }) => mended.has(code)),
  );

/** These were scopes of spaces before they were of sites. */
const withScopes = (text: string): string =>
  text.replaceAll(/\bspace:(script:inject|script:cookies|views:read|visitor:auth)\b/g, 'site:$1');

/** It has another name here. */
const withCategories = (text: string): string =>
  text.replaceAll(/^(\s*-\s*["']?)visitor-auth(?=["']?\s*$)/gm, '$1authenticated-access');

/** Paths that were written on Windows. */
const withSlashes = (text: string): string =>
  text.replaceAll(/^((?:script|icon):|\s*-)[ \t]+[\w.]*\\[\w.\\-]+\.\w+[ \t]*$/gm, (line) =>
    line.replaceAll('\\', '/'),
  );

function choose(text: string, choices: ManifestChoices): string {
  const loaded = parseManifest(text);
  if (loaded.diagnostics.some(({ code }) => code === 'manifest/syntax')) return text;
  return Object.entries(choices).reduce(
    (before, [key, value]) =>
      new RegExp(`^${key}\\s*:`, 'm').test(before)
        ? replaceValue(before, [key], value)
        : insertValue(before, [key], value),
    text,
  );
}
