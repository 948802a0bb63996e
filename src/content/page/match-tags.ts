import type { Token } from 'markdown-it';
import type { TagToken } from './read-tag.js';

interface Container {
  /** The container that this one must be in. */
  within?: string;
  /** Whether the closing tag can be left out. */
  isSingle?: boolean;
}

/** The product's own blocks, and the elements and footnotes that are read like them. Their names begin with `<`. */
export const containers: Readonly<Record<string, Container | undefined>> = {
  hint: {},
  tabs: {},
  tab: { within: 'tabs' },
  stepper: {},
  step: { within: 'stepper' },
  columns: {},
  column: { within: 'columns' },
  code: {},
  prompt: {},
  updates: {},
  update: { within: 'updates' },
  if: {},
  else: { within: 'if', isSingle: true },
  '<details': {},
  '<summary': {},
  '<figure': {},
  '<note': {},
  'content-ref': { isSingle: true },
  'page-ref': { isSingle: true },
  file: { isSingle: true },
  include: { isSingle: true },
  openapi: { isSingle: true },
  'openapi-operation': { isSingle: true },
  'openapi-schemas': { isSingle: true },
  swagger: { isSingle: true },
};

/** Returns the position of each opening tag's closing tag. Both are in the same list item or quote. Takes one pass. */
export function matchTags(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: { name: string; level: number; at: number }[] = [];
  for (const [at, { type, level, nesting, meta }] of tokens.entries()) {
    if (nesting < 0) while ((open.at(-1)?.level ?? 0) > level) open.pop();
    if (type !== 'tag') continue;
    const { name } = meta as unknown as TagToken;
    if (Object.hasOwn(containers, name)) open.push({ name, level, at });
    const found = name.startsWith('end')
      ? open.findLastIndex((one) => one.name === name.slice(3) && one.level === level)
      : -1;
    const [pair] = found < 0 ? [] : open.splice(found);
    if (pair) pairs.set(pair.at, at);
  }
  return pairs;
}
