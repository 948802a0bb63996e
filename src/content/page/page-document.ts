import type {
  ContainerNode,
  PageBlock,
  PageInline,
  TableNode,
  TagNode,
} from '../../protocol/page/page-tree.js';
import { plainText } from '../../protocol/page/page-text.js';

/** A node of a document in the management API. */
export interface DocumentNode {
  object: 'block' | 'inline' | 'text' | 'fragment';
  [key: string]: unknown;
}

/** Returns a page's parts as the nodes of a document in the management API. */
export const documentNodes = (blocks: readonly PageBlock[]): DocumentNode[] => blocks.flatMap(blockOf);

const block = (type: string, nodes: DocumentNode[], data: object = {}): DocumentNode => ({
  object: 'block',
  type,
  isVoid: false,
  data,
  nodes,
});
const empty = (type: string, data: object, fragments: DocumentNode[] = []): DocumentNode => ({
  object: 'block',
  type,
  isVoid: true,
  data,
  ...(fragments.length > 0 && { fragments }),
});
const fragment = (name: string, nodes: DocumentNode[]): DocumentNode => ({
  object: 'fragment',
  type: name,
  fragment: name,
  nodes,
});
const refTo = (url: unknown): object => ({ ref: { kind: 'url', url } });
const text = (value: string, marks: object[] = []): DocumentNode => ({
  object: 'text',
  leaves: [{ object: 'leaf', text: value, marks }],
});

const marks: Readonly<Record<string, string>> = {
  strong: 'bold',
  emphasis: 'italic',
  deleted: 'strikethrough',
  kbd: 'keyboard',
  sup: 'superscript',
  sub: 'subscript',
};

function inlinesOf(inlines: readonly PageInline[], around: object[] = []): DocumentNode[] {
  return inlines.flatMap((inline): DocumentNode[] => {
    switch (inline.kind) {
      case 'text':
        return [text(inline.text, around)];
      case 'code':
        return [text(inline.text, [...around, { object: 'mark', type: 'code' }])];
      case 'break':
        return [text('\n', around)];
      case 'icon':
        return [{ object: 'inline', type: 'icon', isVoid: true, data: { icon: inline.name } }];
      case 'note':
        return [text(`[${inline.number}]`, [...around, { object: 'mark', type: 'superscript' }])];
      case 'math':
        return [{ object: 'inline', type: 'inline-math', isVoid: true, data: { formula: inline.text } }];
      case 'image': {
        const { url, alt } = inline;
        return [
          { object: 'inline', type: 'inline-image', isVoid: true, data: { ...refTo(url), caption: alt } },
        ];
      }
      case 'link': {
        const { url, button } = inline;
        const data = { ...refTo(url), ...(button && { kind: button }) };
        const nodes = inlinesOf(inline.children, around);
        return [{ object: 'inline', type: button ? 'button' : 'link', isVoid: false, data, nodes }];
      }
      case 'mark': {
        const data = inline.isFilled ? { background: inline.tone } : { text: inline.tone };
        return inlinesOf(inline.children, [...around, { object: 'mark', type: 'color', data }]);
      }
      default:
        return inlinesOf(inline.children, [...around, { object: 'mark', type: marks[inline.kind] }]);
    }
  });
}

function blockOf(node: PageBlock): DocumentNode[] {
  switch (node.kind) {
    case 'heading':
      return [block(`heading-${Math.min(node.level, 3)}`, inlinesOf(node.children))];
    case 'paragraph': {
      const [only] = node.children;
      if (only?.kind === 'math' && only.isBlock) return [empty('math', { formula: only.text })];
      return [block('paragraph', inlinesOf(node.children))];
    }
    case 'rule':
      return [empty('divider', {})];
    case 'quote':
      return [block('blockquote', documentNodes(node.children))];
    case 'task':
      return documentNodes(node.children);
    case 'list': {
      const isTasks = node.items.some(([first]) => first?.kind === 'task');
      const type = isTasks ? 'list-tasks' : node.ordered ? 'list-ordered' : 'list-unordered';
      const items = node.items.map((item) => {
        const [first] = item;
        return block('list-item', documentNodes(item), first?.kind === 'task' ? { checked: first.done } : {});
      });
      return [block(type, items, node.ordered && node.start !== 1 ? { start: node.start } : {})];
    }
    case 'code': {
      const { language, title, lineNumbers, wrap } = node;
      const data = { syntax: language, title, lineNumbers, ...(wrap && { overflow: 'wrap' }) };
      return [
        block(
          'code',
          node.text.split('\n').map((line) => block('code-line', [text(line)])),
          data,
        ),
      ];
    }
    case 'table':
      return [tableOf(node)];
    case 'tag':
      return tagOf(node);
    case 'container':
      return containerOf(node);
  }
}

function tagOf(node: TagNode): DocumentNode[] {
  if (node.type === 'block') {
    const { integration, component, props } = node;
    return [empty('integration', { integration, block: component, props })];
  }
  if (node.type !== 'embed') return [];
  const caption =
    node.caption === '' ? [] : [fragment('caption', [block('paragraph', [text(node.caption)])])];
  return [empty('embed', { url: node.url }, caption)];
}

/** Containers whose name differs in a document. */
const types: Readonly<Record<string, string>> = {
  tab: 'tabs-item',
  step: 'stepper-step',
  if: 'condition',
  note: 'footnote',
  'page-ref': 'content-ref',
  include: 'reusable-content',
  openapi: 'swagger',
};
/** Containers that refer to something else. */
const voids = new Set(
  'content-ref page-ref file include openapi openapi-operation openapi-schemas swagger'.split(' '),
);

function containerOf({ name, attributes, children }: ContainerNode): DocumentNode[] {
  const { url, ...data } = attributes;
  switch (name) {
    case 'code':
      return documentNodes(children);
    case 'details': {
      const [first, ...rest] = children;
      const hasTitle = first?.kind === 'container' && first.name === 'summary';
      return [
        empty('expandable', data, [
          fragment('expandable-title', hasTitle ? documentNodes(first.children) : []),
          fragment('expandable-body', documentNodes(hasTitle ? rest : children)),
        ]),
      ];
    }
    case 'figure': {
      const caption = children.length > 0 ? [fragment('caption', documentNodes(children))] : [];
      return [block('images', [empty('image', { ...refTo(url), ...data }, caption)])];
    }
    default:
      return voids.has(name)
        ? [empty(types[name] ?? name, { ...(url !== undefined && refTo(url)), ...data })]
        : [block(types[name] ?? name, documentNodes(children), data)];
  }
}

/** The cells are fragments, which the records refer to. */
function tableOf({ head, rows, columns = [], view }: TableNode): DocumentNode {
  const ids = head.map((_, at) => `column-${at}`);
  const inView = (role?: string): string[] => ids.filter((_, at) => columns[at]?.role === role);
  const fragments = rows.flatMap((row, index) =>
    row.map((cell, at) => fragment(`cell-${index}-${at}`, [block('paragraph', inlinesOf(cell))])),
  );
  return empty(
    'table',
    {
      view: {
        type: view ?? 'grid',
        columns: inView(),
        ...(view === 'cards' && { targetColumn: inView('target')[0], coverColumn: inView('cover')[0] }),
      },
      definition: Object.fromEntries(
        head.map((cell, at) => [ids[at], { id: ids[at], type: 'text', title: plainText(cell) }]),
      ),
      records: Object.fromEntries(
        rows.map((row, index) => [
          `row-${index}`,
          {
            orderIndex: String(index),
            values: Object.fromEntries(row.map((_, at) => [ids[at], `cell-${index}-${at}`])),
          },
        ]),
      ),
    },
    fragments,
  );
}
