/** The page parser. It is exported separately, because only the site's server loads it. */
export { findPageProblems, readPageToCheck, type KnownNames, type ReadPage } from './check-page.js';
export { blocksBetween } from './blocks-between.js';
export { editFence } from './edit-fence.js';
export { editTag } from './edit-tag.js';
export { includeFiles } from './include-files.js';
export { insertBlock, removeBlock, type Insertion } from './insert-block.js';
export { blocksOnPage, type PageBlockOf } from '../../protocol/page/page-blocks.js';
export { linesOf, plainText } from '../../protocol/page/page-text.js';
export { knownPaths } from './known-paths.js';
export { documentNodes } from './page-document.js';
export { headingId, headingIdOnGitHub, parsePage } from './parse-page.js';
export type {
  FenceNode,
  Heading,
  PageBlock,
  PageInline,
  PageProblem,
  PageTree,
  TagNode,
} from '../../protocol/page/page-tree.js';
