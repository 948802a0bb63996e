import { secretExpression } from './secrets.js';
import { findEntry } from './yaml/locate.js';
import type { Node, Span } from './yaml/tree.js';

/** The parts of the text that no output may show: whatever stands where a secret's expression should. */
export function findMasks(text: string, root: Node | undefined): Span[] {
  if (!root) return guessMasks(text);
  const masks: Span[] = [];
  const collect = (node: Node | undefined): void => {
    if (node?.kind === 'list') node.items.forEach(collect);
    else if (node?.kind === 'map') node.entries.forEach((entry) => collect(entry.node));
    else if (node && !isExpression(node.value)) masks.push(...[node, node.target ?? []].flat());
  };
  collect(findEntry(root, ['secrets'])?.node);
  const environments = findEntry(root, ['envs'])?.node;
  if (environments?.kind === 'map')
    for (const { node } of environments.entries) collect(findEntry(node, ['secrets'])?.node);
  return masks.filter(({ start, end }) => end > start).map(({ start, end }) => ({ start, end }));
}

const isExpression = (value: unknown): boolean => typeof value === 'string' && secretExpression.test(value);

/** The same for a text that cannot be parsed: below each `secrets` key, all that is not an expression. */
function guessMasks(text: string): Span[] {
  const masks: Span[] = [];
  let indent: number | undefined;
  let start = 0;
  for (const line of text.split('\n')) {
    const own = /^\s*/.exec(line)?.[0].length ?? 0;
    const opens = /(?:^|[\s{,"'])secrets["']?\s*:/.exec(line);
    if (indent !== undefined && own <= indent && line.trim() !== '' && !/^\s*[}#]/.test(line))
      indent = undefined;
    if (opens) indent ??= own;
    if (indent !== undefined) {
      const from = opens ? opens.index + opens[0].length : (/^[^:]*:(?=\s|$)/.exec(line)?.[0].length ?? own);
      if (!isExpression(line.slice(from).trim()))
        masks.push({ start: start + from, end: start + line.trimEnd().length });
    }
    start += line.length + 1;
  }
  return masks.filter((mask) => mask.end > mask.start);
}
