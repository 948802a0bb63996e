import type { RuleInfo } from '../diagnostics/model/rule.js';
import type { PageProblem } from '../protocol/page/page-tree.js';
import type { ContentWarning } from './content.js';

const summaries: Record<ContentWarning['code'] | PageProblem['code'], string> = {
  'broken-link': 'A link or image points to a file that does not exist.',
  'front-matter': "A page's front matter cannot be parsed.",
  'invalid-tag': 'A tag cannot be parsed.',
  'misplaced-tag': 'A tag must be inside another one.',
  'missing-page': 'An entry in SUMMARY.md points to a file that does not exist.',
  'skipped-file': 'A file in the folder is skipped.',
  'too-complex': 'A page is so complex that it is shown as plain text.',
  'unclosed-tag': 'A tag has no closing tag, or a closing tag has no opening tag.',
  'unknown-block': 'A tag uses a block that the manifest does not declare.',
  'unreadable-folder': 'The folder cannot be read.',
};

/** Problems in the pages of a space. Each has a page in `docs/content`. */
export const contentProblems: readonly RuleInfo[] = Object.entries(summaries).map(([code, summary]) => ({
  code: `content/${code}`,
  severity: 'warning',
  summary,
}));
