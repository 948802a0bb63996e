import type { RuleInfo } from '../../diagnostics/rule.js';

/** What is told of a file before any rule can look at it, and of the comments that silence rules. */
export const documentCodes: readonly RuleInfo[] = [
  { code: 'manifest/unreadable', severity: 'error', summary: 'The file is not there, or cannot be read.' },
  { code: 'manifest/too-large', severity: 'error', summary: 'The file is larger than 256 KiB.' },
  { code: 'manifest/encoding', severity: 'error', summary: 'The file is not UTF-8.' },
  {
    code: 'manifest/control-character',
    severity: 'error',
    summary: 'The file holds an invisible control character.',
  },
  {
    code: 'manifest/byte-order-mark',
    severity: 'warning',
    summary: 'The file begins with a byte order mark.',
  },
  {
    code: 'manifest/mixed-line-ends',
    severity: 'warning',
    summary: 'Some lines end in CR LF and others in LF.',
  },
  { code: 'manifest/syntax', severity: 'error', summary: 'The file is not valid YAML.' },
  { code: 'manifest/tab-indent', severity: 'error', summary: 'A line is indented with a tab.' },
  {
    code: 'manifest/several-documents',
    severity: 'error',
    summary: 'The file holds more than one YAML document.',
  },
  {
    code: 'manifest/too-deep',
    severity: 'error',
    summary: 'The document is nested more than 64 levels deep.',
  },
  { code: 'manifest/too-many-aliases', severity: 'error', summary: 'The aliases unfold to too many values.' },
  {
    code: 'manifest/empty-document',
    severity: 'error',
    summary: 'The file holds nothing, or nothing but comments.',
  },
  { code: 'manifest/duplicate-key', severity: 'error', summary: 'A key stands in the same map twice.' },
  { code: 'manifest/non-string-key', severity: 'error', summary: 'A key is not text.' },
  {
    code: 'manifest/reserved-key',
    severity: 'error',
    summary: 'A key that cannot be used: __proto__ or a merge key.',
  },
  {
    code: 'manifest/too-many-findings',
    severity: 'error',
    summary: 'There are more than 500 findings.',
  },
  {
    code: 'manifest/unused-ignore',
    severity: 'warning',
    summary: 'A platform-ignore comment silences nothing.',
  },
  {
    code: 'manifest/ignore-without-reason',
    severity: 'warning',
    summary: 'A platform-ignore comment gives no reason.',
  },
];
