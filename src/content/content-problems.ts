import { listRules } from '../diagnostics/model/rule.js';
import type { PageProblem } from '../protocol/page/page-tree.js';
import type { ContentWarning } from './content.js';

/** Problems that `platform site` finds when it renders blocks. */
export type BlockProblem = 'failed-block' | 'platform-address';

const summaries: Record<`content/${ContentWarning['code'] | PageProblem['code'] | BlockProblem}`, string> = {
  'content/broken-anchor': 'A link points to a heading that does not exist.',
  'content/broken-link': 'A link or image points to a file that does not exist.',
  'content/failed-block': 'A block on a page fails to render.',
  'content/front-matter': "A page's front matter cannot be parsed.",
  'content/invalid-math': 'A formula cannot be parsed.',
  'content/invalid-tag': 'A tag cannot be parsed.',
  'content/misplaced-tag': 'A tag must be inside another one.',
  'content/missing-page': 'An entry in SUMMARY.md points to a file that does not exist.',
  'content/platform-address': "A block contains the platform's own address, so a static copy cannot show it.",
  'content/skipped-file': 'A file in the folder is skipped.',
  'content/too-complex': 'A page is so complex that it is shown as plain text.',
  'content/unclosed-tag': 'A tag has no closing tag, or a closing tag has no opening tag.',
  'content/unknown-block': 'A tag uses a block that the manifest does not declare.',
  'content/unreadable-folder': 'The folder cannot be read.',
};

/** Problems in the pages of a space. Each has a page in `docs/content`. */
export const contentProblems = listRules('warning', summaries).map((rule) =>
  rule.code === 'content/failed-block' ? { ...rule, severity: 'error' as const } : rule,
);
