export { findPassages, type Passage } from './find-passages.js';
export { openContent, type ContentOptions } from './open-content.js';
export { readFrontMatter } from './page/front-matter.js';
export type {
  Attribute,
  Change,
  Content,
  ContentFile,
  ContentWarning,
  MergedBranch,
  MovedPages,
  Page,
  PageEntry,
  Revision,
  SyncedRevision,
} from './content.js';
