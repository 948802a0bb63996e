import { decodePath } from '../../base/text/decode-path.js';
import { posix } from 'node:path';
import { isTypoOf, nearest } from '../../base/did-you-mean.js';
import type { Integration } from '../../protocol/integration.js';
import type { PageBlock, PageProblem, TagNode } from '../../protocol/page/page-tree.js';
import { findLineStarts, positionIn } from './line-starts.js';
import { headingId, headingIdOnGitHub, parsePage } from './parse-page.js';

/**
 * The problems found on a page so far, and the names on it that still need to be checked against the folder and the
 * manifest.
 */
export interface ReadPage {
  problems: readonly PageProblem[];
  links: readonly PlacedLink[];
  blocks: readonly PlacedBlock[];
  /** The ids of the headings. Undefined if files that cannot be read add headings to the page. */
  anchors: ReadonlySet<string> | undefined;
}

interface Position {
  line: number;
  column: number;
}

interface PlacedLink extends Position {
  url: string;
}

interface PlacedBlock extends Position {
  integration: string;
  component: string;
}

/** What a page can refer to. */
export interface KnownNames {
  /** The paths of pages, with and without their extension, and of other files, each with the page's file. */
  paths: ReadonlyMap<string, string | undefined>;
  /** The same paths for links that begin with a slash, from the root of the site. If undefined, these links are not checked. */
  root?: KnownNames['paths'];
  /** Returns the page created from another file, if it has been read. */
  read?(file: string): Pick<ReadPage, 'anchors'> | undefined;
  integrations: readonly Pick<Integration, 'name' | 'blocks'>[];
}

/** Limited, because finding a link's position on a large page takes time. */
const mostLinks = 1000;

/** `whole` is the tree with the files that the page includes. */
export function readPageToCheck(text: string, tree = parsePage(text), whole = tree): ReadPage {
  const { blocks, cover, tags } = tree;
  const urls = [...new Set(relativeUrls([blocks, cover]))].slice(0, mostLinks);
  const lineStarts = findLineStarts(text);
  const place = (offset: number): Position => positionIn(lineStarts, offset);
  return {
    problems: whole.problems,
    links: urls.map((url) => ({ url, ...place(findLink(text, url)) })),
    blocks: tags.flatMap((tag) => placeBlock(tag, place)),
    anchors: hasUnread(whole.blocks)
      ? undefined
      : new Set([
          ...whole.headings.flatMap(({ id, text }) => [id, headingIdOnGitHub(text)]),
          ...foldAnchors(whole.blocks),
        ]),
  };
}

/** Finds unreadable tags, broken links and unknown blocks. */
export const findPageProblems = (
  file: string,
  page: ReadPage,
  { paths, root, read, integrations }: KnownNames,
): PageProblem[] => [
  ...page.problems,
  ...page.links.flatMap((link) =>
    checkLink(
      file,
      link,
      link.url.startsWith('/') ? root : paths,
      (other) => (other === file ? page : read?.(other))?.anchors,
    ),
  ),
  ...page.blocks.flatMap((block) => checkBlock(block, integrations)),
];

/** Whether the page includes a file or a description of an API that was not read. */
const hasUnread = (nodes: readonly PageBlock[]): boolean =>
  nodes.some((node) => {
    if (node.kind === 'list') return node.items.some(hasUnread);
    if (node.kind !== 'container') return node.kind === 'quote' && hasUnread(node.children);
    const { name, attributes, children } = node;
    return (
      (/^(?:openapi|swagger)/.test(name) && !node.operation) ||
      (name === 'include' && attributes['file'] === undefined) ||
      hasUnread(children)
    );
  });

/** Returns the ids of the `<details>` on a page. */
const foldAnchors = (nodes: readonly PageBlock[]): string[] =>
  nodes.flatMap((node) => {
    if (node.kind === 'list') return node.items.flatMap(foldAnchors);
    if (node.kind !== 'container' && node.kind !== 'quote') return [];
    const { anchor } = node.kind === 'container' ? node.attributes : {};
    return [...(typeof anchor === 'string' ? [anchor] : []), ...foldAnchors(node.children)];
  });

/** Returns the URLs of links and images that refer to files or headings. */
function relativeUrls(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(relativeUrls);
  if (typeof node !== 'object' || node === null || ('kind' in node && node.kind === 'tag')) return [];
  const below = Object.values(node).flatMap(relativeUrls);
  const url = 'url' in node ? node.url : undefined;
  return typeof url === 'string' && /^(?![a-z][a-z0-9+.-]*:|\/\/|\/~|\?|#?$)/i.test(url)
    ? [url, ...below]
    : below;
}

/**
 * Searches the text for a link, because the tree does not include the positions of links and the parser has encoded their
 * URLs.
 */
function findLink(text: string, url: string): number {
  const at = [url, decodePath(url)]
    .flatMap((written) => ['(', '(<', '"', "'", ']: ', 'cover: '].map((before) => [before, written] as const))
    .map(([before, written]) => [text.indexOf(before + written), before.length] as const)
    .find(([found]) => found >= 0);
  return at ? at[0] + at[1] : 0;
}

const placeBlock = (tag: TagNode, place: (offset: number) => Position): PlacedBlock[] =>
  tag.type === 'block'
    ? [{ integration: tag.integration, component: tag.component, ...place(tag.start) }]
    : [];

function checkLink(
  file: string,
  { url, line, column }: PlacedLink,
  paths: KnownNames['paths'] | undefined,
  anchorsOf: (file: string) => ReadonlySet<string> | undefined,
): PageProblem[] {
  if (!paths) return [];
  const written = decodePath(url.replace(/[?#].*/s, ''));
  const path =
    written === ''
      ? file
      : posix
          .join(written.startsWith('/') ? '' : posix.dirname(file), written)
          .replace(/^\.\/|^\.$|^\/+|\/$/g, '');
  const composed = path.normalize();
  const known = [path, composed, `${composed}.md`].find((one) => paths.has(one));
  if (known === undefined) {
    const message = `This link points to ${written}, which is not a page or file in the folder.`;
    return [{ code: 'broken-link', message, line, column }];
  }
  const target = paths.get(known);
  const [, anchor = ''] = /#(.+)/s.exec(url) ?? [];
  const anchors = anchor === '' || target === undefined ? undefined : anchorsOf(target);
  if (!anchors || anchors.has(headingId(decodePath(anchor)))) return [];
  const message = `This link points to #${decodePath(anchor)}, but ${target === file ? 'this page' : target} has no such heading.`;
  return [{ code: 'broken-anchor', message, line, column }];
}

/** Pages may contain blocks from other integrations, so an unknown block is reported only if it looks like a typo. */
function checkBlock(
  { integration, component, ...position }: PlacedBlock,
  integrations: KnownNames['integrations'],
): PageProblem[] {
  const meant =
    integrations.find(({ name }) => name === integration) ??
    integrations.find(({ name }) => isTypoOf(name, integration));
  if (!meant) return [];
  const { name } = meant;
  const ids = meant.blocks.map(({ id }) => id);
  const own = integration === name;
  if (own && ids.includes(component)) return [];
  const near = ids.includes(component) ? component : nearest(component, ids);
  const known = ids.length > 0 ? ` Its blocks are ${ids.join(', ')}.` : '';
  return [
    {
      code: 'unknown-block',
      message: own
        ? `The manifest declares no block ${component}.${near === undefined ? known : ''}`
        : `The integration is called ${name}, not ${integration}.`,
      help:
        near === undefined
          ? `Correct the tag, or add the block: platform add component ${component}`
          : `Did you mean @${name}/${near}?`,
      ...position,
    },
  ];
}
