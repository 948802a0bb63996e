import { parsePage } from './parse-page.js';

interface BlockChange {
  name: 'block inserted' | 'block removed' | 'block changed';
  after: string;
}

/** Longer pages take too long to compare for a list of changes. */
const longest = 100_000;

/** Returns the blocks that were inserted, removed or changed between two texts of a page. */
export function blocksBetween(before: string, after: string): BlockChange[] {
  if (before.length + after.length > longest) return [];
  const [was, is] = [blocksIn(before), blocksIn(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((block): BlockChange[] => {
    const [old, current] = [was.get(block) ?? [], is.get(block) ?? []];
    const more = current.length - old.length;
    if (more !== 0) return [{ name: more > 0 ? 'block inserted' : 'block removed', after: block }];
    return old.join() === current.join() ? [] : [{ name: 'block changed', after: block }];
  });
}

/** Returns the properties of the blocks, keyed by their name. */
function blocksIn(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const tag of parsePage(text).tags) {
    if (tag.type !== 'block') continue;
    const name = `${tag.integration}/${tag.component}`;
    found.set(name, [...(found.get(name) ?? []), JSON.stringify(tag.props)]);
  }
  return found;
}
