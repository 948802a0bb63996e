import type { AnyTask, AnyValues } from '../environment/runtime-environment.js';

/** A collection of pages. */
export interface Space {
  id: string;
  title: string;
  visibility?: string;
  organization?: string;
  urls: { app: string; published?: string; [name: string]: string | undefined };
  [field: string]: unknown;
}

/** A published site. */
export interface Site {
  id: string;
  title: string;
  urls: { app: string; published?: string; [name: string]: string | undefined };
  adaptiveContent?: { enabled: boolean };
  [field: string]: unknown;
}

/** A page in a revision. */
export interface RevisionPage extends AnyValues {
  id: string;
  /** `document`, `group` or `link`. */
  type: string;
  title: string;
  slug?: string;
  path?: string;
  urls?: { app: string; [name: string]: string | undefined };
  pages?: RevisionPage[];
}

/** A page that only groups other pages. */
export interface RevisionPageGroup extends RevisionPage {
  pages: RevisionPage[];
}

/** A version of a space's content. */
export interface Revision extends AnyValues {
  id: string;
  /** How the revision was created, such as `merge`. */
  type?: string;
  /** The change request that was merged. */
  mergedFrom?: { id: string; number: number; subject: string; [field: string]: unknown } | null;
  pages: RevisionPage[];
  urls: { app: string; public?: string; [name: string]: string | undefined };
  /** The Git commit that the revision was imported from or exported to. */
  git?: { oid: string; message?: string; url?: string; [field: string]: unknown };
}

/** Options for requesting a revision. */
export interface RevisionOptions {
  /** `false` omits `git`. */
  metadata?: boolean;
}

/** The changes that a revision made. */
export interface RevisionChanges {
  changes: RevisionChange[];
  /** The number of changes beyond the limit. */
  more?: number;
  /** The change request that was merged. */
  mergedFrom?: Revision['mergedFrom'];
}

/** A change that a revision made to a page or file. */
export interface RevisionChange extends AnyValues {
  /** Kind of change, such as `page_created` or `file_edited`. */
  type: string;
  page: RevisionPage;
  file: { id: string; name: string; [field: string]: unknown };
}

/** The content at a product URL. */
export interface UrlContent {
  space?: Space;
  page?: RevisionPage;
  [field: string]: unknown;
}

/** A page's content. */
export interface Document {
  object: 'document';
  nodes: AnyValues[];
  [field: string]: unknown;
}

/** The visitor claims that a site accepts. */
export interface SiteAdaptiveSchema {
  jsonSchema: { type: 'object'; properties: AnyValues; additionalProperties: false };
}

/** A user of the product. */
export interface User {
  id: string;
  displayName: string;
  email?: string;
  photoURL?: string;
  [field: string]: unknown;
}

/** A conversation for `orgs.ingestConversation`. */
export interface ConversationInput {
  id: string;
  subject?: string;
  metadata?: { url?: string; createdAt?: string; attributes?: Record<string, string> };
  parts: ConversationPart[];
}

/** A message in a conversation. */
export interface ConversationPart {
  type: string;
  role?: string;
  body?: string;
  [field: string]: unknown;
}

/** A message in a conversation. */
export type ConversationPartMessage = ConversationPart;

/** The result of `orgs.askInOrganization`. */
export interface AskAnswer<Format extends AskFormat = AskFormat> {
  answer?: Format extends 'document' ? { document: Document } : { markdown: string };
  followupQuestions: string[];
  sources: { type: 'page'; space: string; revision: string; page: string; [field: string]: unknown }[];
}

/** Format of the response. */
export type AskFormat = 'markdown' | 'document';

/** Options for a question. */
export interface AskOptions<Format extends AskFormat = 'markdown'> {
  format?: Format;
  details?: boolean;
}

/** Part of a streamed response. Each `answer` contains the text so far. */
export interface AskStreamEvent<Format extends AskFormat = AskFormat> {
  type: 'answer';
  answer: AskAnswer<Format>;
}

/** Changes to an installation. */
export interface InstallationChange {
  /** Replaces the whole configuration. */
  configuration?: object;
  /** Replaces the ids used to find the installation, such as the provider's workspace ids. */
  externalIds?: string[];
}

/** Filters and paging options for a list. */
export interface ListOptions {
  /** Only items with this external id. */
  externalId?: string;
  /** Maximum number of items on a page. */
  limit?: number;
  /** The page to return: the value of `next` from the previous page. */
  page?: string;
}

/** Makes the list contain complete spaces and sites instead of their ids. */
export interface ExtendedListOptions extends ListOptions {
  /** Include complete spaces and sites. */
  extended: true;
}

/** One page of a list. */
export interface List<Item> {
  /** The items on this page. */
  items: Item[];
  /** Number of items on all pages. */
  count?: number;
  /** The next page, if there is one. Pass its `page` as an option. */
  next?: { page: string };
}

/** A task to run later. */
export interface QueuedTask<Payload extends object = AnyTask> {
  /** Passed to your `task` handler. */
  task: Payload;
  /** Delay in seconds, from 0 to 86400. */
  schedule?: number;
}
