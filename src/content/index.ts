export { openContent, type ContentOptions } from './open-content.js';
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
