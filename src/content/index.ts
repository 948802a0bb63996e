export { openContent, type ContentOptions } from './open-content.js';
export { readFrontMatter } from './page/front-matter.js';
export type {
  Attribute,
  Change,
  Content,
  ContentFile,
  ContentWarning,
  MovedPages,
  Page,
  PageEntry,
  Revision,
  SyncedRevision,
} from './content.js';
