import { applyFixes, parseManifest } from '../../../manifest/index.js';
import { insertValue } from '../../../manifest/fix/insert-value.js';
import { replaceValue } from '../../../manifest/fix/replace-value.js';
import { readTree } from '../../../manifest/yaml/read-tree.js';
import { defaults } from '../../init/ask-for-missing.js';
import { lineOf, type Rewritten } from '../model/open-decision.js';
import { sdk } from '../source/rewrite-source.js';
import { setUnknownAside } from './replace-unknown-keys.js';
import { replaceVaultSecrets } from './vault-secrets.js';

/** Values given on the command line. */
export type ManifestChoices = Partial<
  Record<'name' | 'title' | 'description' | 'organization' | 'visibility', string>
>;

const schemaLine = (nodeModules: string): string =>
  `# yaml-language-server: $schema=${nodeModules}/${sdk}/schemas/editor/platform-manifest.schema.json`;

/** Problems that the import causes and fixes itself. All other problems are left to the author. */
const fixedHere = new Set(['manifest/duplicate-scope', 'manifest/missing-key']);

export interface RewrittenManifest extends Rewritten {
  /** Variables that replace vault references, keyed by the file they are written to. */
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
  const fixed = fixProblems(choose(withSlashes(withCategories(withScopes(own))), chosen));
  const secrets = replaceVaultSecrets(
    `${schemaLine(nodeModules)}${text.includes('\r\n') ? '\r\n' : '\n'}${fixed}`,
  );
  const { text: whole, notes } = setUnknownAside(secrets.text);
  const at = (key: string, message: string) => ({ line: (lineOf(whole, `\n${key}:`) ?? 0) + 1, message });
  const stoodIn = Object.entries(lacking).map(([key, value]) =>
    at(key, `The manifest had no ${key}, so it is now ${JSON.stringify(value)}. Change it, or use --${key}.`),
  );
  if (name) stoodIn.push(at('name', `The name was ${JSON.stringify(name.before)}, and is now ${name.here}.`));
  return { text: whole, notes: [...stoodIn, ...secrets.notes, ...notes], variables: secrets.variables };
}

/** On this platform, names are part of URLs, so they may contain only letters, digits and hyphens. */
function hyphenated(text: string): { before: string; here: string } | undefined {
  const [, , before = ''] =
    /^name[ \t]*:[ \t]*(['"]?)(\w[\w.]*(?:[ -][\w.]+)*)\1[ \t]*(?:#.*)?\r?$/m.exec(text) ?? [];
  const here = before
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .join('-');
  return here === before ? undefined : { before, here };
}

/** The previous platform's command writes this into new manifests. */
const emptyDescription = /^description[ \t]*:[ \t]*(?:(?:''|"")[ \t]*)?\r?\n(?![ \t])/m;

/** Returns default values for fields that are optional on other platforms but required here. */
function lacks(text: string, choices: ManifestChoices): ManifestChoices {
  const [, , title] = /^title[ \t]*:[ \t]*(['"]?)(\S.*?)\1(?<![ \t])[ \t]*\r?$/m.exec(text) ?? [];
  const standIns: ManifestChoices = {
    organization: defaults.organization,
    ...(title !== undefined && { description: title }),
  };
  const said = text.replace(emptyDescription, '');
  const isSaid = (key: string): boolean => new RegExp(`^${key}\\s*:`, 'm').test(said);
  return Object.fromEntries(Object.entries(standIns).filter(([key]) => !(key in choices) && !isSaid(key)));
}

const fixProblems = (text: string): string =>
  applyFixes(
    text,
    parseManifest(text).diagnostics.filter(({ code }) => fixedHere.has(code)),
  );

const withScopes = (text: string): string =>
  text.replaceAll(/\bspace:(script:inject|script:cookies|views:read|visitor:auth)\b/g, 'site:$1');

const withCategories = (text: string): string =>
  text.replaceAll(/^([ \t]*-[ \t]*["']?)visitor-auth(?=["']?[ \t]*\r?$)/gm, '$1authenticated-access');

const withSlashes = (text: string): string =>
  text.replaceAll(/^((?:script|icon):|[ \t]*-)[ \t]+[\w.]*\\[\w.\\-]+\.\w+[ \t]*$/gm, (line) =>
    line.replaceAll('\\', '/'),
  );

function choose(text: string, choices: ManifestChoices): string {
  const loaded = parseManifest(text);
  if (loaded.diagnostics.some(({ code }) => code === 'manifest/syntax')) return text;
  if (readTree(text).root?.kind !== 'map') return text;
  return Object.entries(choices).reduce(
    (before, [key, value]) =>
      new RegExp(`^${key}\\s*:`, 'm').test(before)
        ? replaceValue(before, [key], value)
        : insertValue(before, [key], value),
    text,
  );
}
