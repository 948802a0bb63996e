import { nearest } from '../../base/did-you-mean.js';
import { isSecretName, secretExpression } from '../model/secret-expressions.js';
import { findEntry } from '../yaml/locate-problem.js';
import type { Entry, Node, Span } from '../yaml/tree.js';

/** Finds the ranges of text that must not appear in any output. This is any text in place of a secret's expression. */
export function findMasks(text: string, root: Node | undefined): Span[] {
  if (!root) return guessMasks(text);
  const masks: Span[] = [];
  const collect = (node: Node): void => {
    if (node.kind === 'list') node.items.forEach(collect);
    else if (node.kind === 'map') entriesOf(node).forEach(collectEntry);
    else if (!isExpression(node.value)) masks.push(node, ...(node.target ? [node.target] : []));
  };
  const collectEntry = ({ key, keyStart, keyEnd, node }: Entry): void => {
    if (!isSecretName(key)) masks.push({ start: keyStart, end: keyEnd });
    collect(node);
  };
  const environments = entriesOf(findEntry(root, ['envs'])?.node);
  for (const { key, node } of [root, ...environments.map((entry) => entry.node)].flatMap(entriesOf))
    if (holdsSecrets(key)) collect(node);
  return masks.filter(({ start, end }) => end > start).map(({ start, end }) => ({ start, end }));
}

const entriesOf = (node: Node | undefined): Entry[] =>
  node?.kind === 'map' ? [...node.entries, ...(node.refused ?? [])] : [];

const isExpression = (value: unknown): boolean => typeof value === 'string' && secretExpression.test(value);

/**
 * Whether the value of this top-level key may contain secrets. This includes misspellings of `secrets`, and names such as
 * `CLIENT_ID` that belong under `secrets` but may not have been indented.
 */
const holdsSecrets = (key: string): boolean =>
  key === 'secrets' || isShouted(key) || nearest(key, ['secrets']) !== undefined;

const isShouted = (key: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(key);

/** Matches the colon after a key. The key is read backwards from there, so no part of a line is read twice. */
const keyPattern = /:(?<=(?:^|[\s{,-])["']?([^\s"':{},]{1,500})["']?\s*:)(?=[\s"'{[]|$)/g;

/**
 * Finds the ranges to mask in text that cannot be parsed. Searches line by line, and would rather mask too much than too
 * little.
 */
function guessMasks(text: string): Span[] {
  const masks: Span[] = [];
  let outer: number | undefined;
  let inner: number | undefined;
  let start = 0;
  for (const line of text.split('\n')) {
    const indent = line.search(/\S|$/);
    const filled = line.trim() !== '' && !line.trimStart().startsWith('#');
    if (outer !== undefined && filled && indent <= outer) outer = inner = undefined;
    if (outer !== undefined && filled) inner ??= indent;
    const keys = [...line.matchAll(keyPattern)];
    const name = keys.find(({ 1: key = '' }) =>
      outer === undefined ? holdsSecrets(key) : isSecretName(key),
    );
    if (filled && (outer !== undefined || name)) {
      const isName = name && (outer === undefined || indent === inner);
      const from = isName ? name.index + name[0].length : indent;
      if (!isExpression(line.slice(from).trim()))
        masks.push({ start: start + from, end: start + line.trimEnd().length });
    }
    if (outer === undefined && name && !isShouted(name[1] ?? '')) outer = indent;
    start += line.length + 1;
  }
  return masks.filter((mask) => mask.end > mask.start);
}
