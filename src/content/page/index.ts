/** The parser of pages. Apart from the room's other face, because only the site's server part loads it. */
export { editTag } from './edit-tag.js';
export { parsePage } from './parse-page.js';
export type {
  FenceNode,
  Heading,
  PageBlock,
  PageInline,
  PageProblem,
  PageTree,
  TagNode,
} from './page-tree.js';
