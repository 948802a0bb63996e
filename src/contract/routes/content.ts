import { Type } from 'typebox';
import type { PageBlock } from '../../protocol/page/page-tree.js';
import {
  bytes,
  count,
  defineRoutes,
  described,
  name,
  oneOf,
  optional,
  type Static,
  text,
  typed,
  values,
} from '../basics/route.js';

const problem = { code: text, message: text, help: optional(text, 'The next step.') };
const visibility = oneOf('public', 'unlisted', 'private');

const PageLine = Type.Object({
  id: text,
  type: Type.Union([
    Type.Literal('document'),
    Type.Literal('group', { description: 'A folder that has no page of its own.' }),
  ]),
  title: text,
  description: optional(text),
  path: text,
  depth: described(count, 'Number of ancestor pages.'),
  hidden: Type.Boolean(),
  file: optional(text, "Path relative to the space's folder."),
});
export type PageLine = Static<typeof PageLine>;

const ContentResource = Type.Object({
  space: text,
  visibility,
  folder: optional(text, 'The folder of the pages. Absent if no folder is mounted for this space.'),
  revision: text,
  pages: described(Type.Array(PageLine), 'Pages in the order in which readers see them.'),
  warnings: described(
    Type.Array(Type.Object({ file: text, ...problem, line: optional(count), column: optional(count) })),
    'Files that are skipped or only partly read, and entries in SUMMARY.md that have no page.',
  ),
});
export type ContentResource = Static<typeof ContentResource>;

const PageResource = Type.Object({
  id: text,
  space: text,
  title: text,
  description: optional(text),
  path: text,
  file: optional(text, "Path relative to the space's folder."),
  source: optional(text, 'The path of the file relative to the project folder, if the file is inside it.'),
  link: optional(text, 'The URL of the page on the site, including the site key.'),
  hash: described(
    text,
    'Hash of the page source. Send it with an edit to show which version the edit is based on.',
  ),
  text: described(text, 'The page source.'),
  blocks: described(typed<PageBlock[]>()(Type.Array(Type.Unknown())), 'The content as plain data.'),
  start: count,
  ends: described(
    Type.Array(count),
    'The end offset of each block in `blocks`, in UTF-16 code units. `start` is the offset where the first block begins.',
  ),
  problems: described(
    Type.Array(Type.Object({ ...problem, line: count, column: count })),
    'Tags that cannot be read, broken links and unknown blocks.',
  ),
});
export type PageResource = Static<typeof PageResource>;

const Change = Type.Object({
  type: oneOf(
    'page_created',
    'page_edited',
    'page_moved',
    'page_deleted',
    'file_created',
    'file_edited',
    'file_deleted',
  ),
  title: text,
  page: optional(text),
  path: text,
  details: described(
    Type.Array(Type.Object({ name: text, before: optional(text), after: optional(text) })),
    'The attributes that changed.',
  ),
});

const RevisionResource = Type.Object({
  id: text,
  createdAt: Type.Number(),
  git: optional(Type.Object({ oid: text, message: text })),
  changes: Type.Array(Change),
});
export type RevisionResource = Static<typeof RevisionResource>;

const page = { space: name, page: name };
const edit = { ...page, hash: name };
const editErrors = ['not-found', 'no-folder', 'page-changed', 'not-editable'] as const;

export const contentRoutes = defineRoutes({
  'GET /content': {
    summary: 'List the pages of a space',
    input: Type.Object({ space: name }),
    output: ContentResource,
    errors: ['not-found'],
  },
  'GET /content/page': {
    summary: 'Get a page as a tree',
    input: Type.Object(page),
    output: PageResource,
    errors: ['not-found', 'no-folder'],
  },
  'POST /content/page': {
    summary: 'Create a page',
    input: Type.Object({ space: name, path: name, title: name }),
    output: PageResource,
    errors: ['not-found', 'no-folder', 'page-exists'],
  },
  'PUT /content/page': {
    summary: "Replace a page's text",
    input: Type.Object({ ...edit, text }),
    output: PageResource,
    errors: editErrors,
  },
  'DELETE /content/page': { summary: "Delete a page's file", input: Type.Object(edit), errors: editErrors },
  'POST /content/page/move': {
    summary: 'Move a page to another path',
    input: Type.Object({ ...page, path: name }),
    output: PageResource,
    errors: ['not-found', 'no-folder', 'page-exists'],
  },
  'POST /content/block': {
    summary: 'Insert a block, a card or a link into a page',
    input: Type.Object({
      ...edit,
      at: described(count, "The page's `start`, or one of its `ends`."),
      component: optional(text),
      props: optional(values),
      embed: optional(text, 'The URL of a card.'),
      link: optional(text, 'The URL of a link.'),
    }),
    output: Type.Object({ page: PageResource, start: count }),
    errors: editErrors,
  },
  'PATCH /content/block': {
    summary: "Change a block's properties by editing only its tag or code fence",
    input: Type.Object({
      ...edit,
      start: described(count, "Where the block's tag or code fence begins."),
      props: values,
    }),
    output: PageResource,
    errors: editErrors,
  },
  'DELETE /content/block': {
    summary: 'Remove a block from a page',
    input: Type.Object({ ...edit, start: Type.Integer({ minimum: 0 }) }),
    output: PageResource,
    errors: editErrors,
  },
  'GET /content/file': {
    summary: 'Get an image or another file from a space',
    input: Type.Object({ space: name, path: name }),
    output: bytes,
    errors: ['not-found', 'no-folder'],
  },
  'GET /content/revisions': {
    summary: 'List the 100 most recent revisions of a space with their changes',
    input: Type.Object({ space: name }),
    output: Type.Array(RevisionResource),
    errors: ['not-found', 'no-folder'],
  },
  'GET /content/text': {
    summary: 'Get an earlier text of a page. Only recent texts are kept',
    input: Type.Object({ space: name, hash: name }),
    output: Type.Object({ text }),
    errors: ['not-found', 'no-folder'],
  },
  'POST /content/visibility': {
    summary: 'Change the visibility of a space, and send space_visibility_updated',
    input: Type.Object({ space: name, visibility }),
    errors: ['not-found'],
  },
  'POST /content/sync': {
    summary: 'Send the Git sync events of a space',
    input: Type.Object({ space: name }),
    errors: ['not-found'],
  },
});
