import type { AnyValues } from '../runtime-environment.js';

/** Resources of the platform that scripts read. Fields beyond these pass through. */
export interface Space {
  id: string;
  title: string;
  visibility?: string;
  organization?: string;
  urls: { app: string; published?: string; [name: string]: string | undefined };
  [field: string]: unknown;
}

export interface Site {
  id: string;
  title: string;
  urls: { app: string; published?: string; [name: string]: string | undefined };
  adaptiveContent?: { enabled: boolean };
  [field: string]: unknown;
}

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

/** A page that only holds others. */
export interface RevisionPageGroup extends RevisionPage {
  pages: RevisionPage[];
}

export interface Revision extends AnyValues {
  id: string;
  /** How it came about, such as by a `merge`. */
  type?: string;
  /** The change request of a merge. */
  mergedFrom?: { id: string; number: number; subject: string; [field: string]: unknown } | null;
  pages: RevisionPage[];
  urls: { app: string; public?: string; [name: string]: string | undefined };
  /** The commit that it came from, or went to. */
  git?: { oid: string; message?: string; url?: string; [field: string]: unknown };
}

/** What a revision did to a page or a file. */
export interface RevisionChange extends AnyValues {
  /** Such as `page_created` or `file_edited`. */
  type: string;
  page: RevisionPage;
  file: { id: string; name: string; [field: string]: unknown };
}

/** What an address of the product leads to. */
export interface UrlContent {
  space?: Space;
  page?: RevisionPage;
  [field: string]: unknown;
}

/** What a page holds. */
export interface Document {
  object: 'document';
  nodes: AnyValues[];
  [field: string]: unknown;
}

/** The claims of visitors that a site knows. */
export interface SiteAdaptiveSchema {
  jsonSchema: { type: 'object'; properties: AnyValues; additionalProperties: false };
}

/** Whom the token stands for. */
export interface User {
  id: string;
  displayName: string;
  email?: string;
  photoURL?: string;
  [field: string]: unknown;
}

/** What `orgs.ingestConversation` takes. */
export interface ConversationInput {
  id: string;
  subject?: string;
  metadata?: { url?: string; createdAt?: string; attributes?: Record<string, string> };
  parts: ConversationPart[];
}

export interface ConversationPart {
  type: string;
  role?: string;
  body?: string;
  [field: string]: unknown;
}

export type ConversationPartMessage = ConversationPart;

/** What `orgs.askInOrganization` found out. */
export interface AskAnswer<Format extends AskFormat = AskFormat> {
  answer?: Format extends 'document' ? { document: Document } : { markdown: string };
  followupQuestions: string[];
  sources: { type: 'page'; space: string; revision: string; page: string; [field: string]: unknown }[];
}

export type AskFormat = 'markdown' | 'document';

export interface AskOptions<Format extends AskFormat = 'markdown'> {
  format?: Format;
  details?: boolean;
}

/** A piece of a streamed answer: each `answer` is longer than the one before. */
export interface AskStreamEvent<Format extends AskFormat = AskFormat> {
  type: 'answer';
  answer: AskAnswer<Format>;
}
