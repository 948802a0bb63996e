/** A page, or a folder without a page of its own. Listed in reading order. */
export interface PageEntry {
  /** Stays the same when the file is moved or renamed. */
  id: string;
  type: 'document' | 'group';
  /** Path within the space, without the extension: `guides/start`. Empty for the first page. */
  path: string;
  /** The last part of the path. */
  slug: string;
  title: string;
  description?: string;
  hidden: boolean;
  order?: number;
  /** Path relative to the folder, with `/`. Absent for a group. */
  file?: string;
  /** Hash of the text, for edits. Absent for a group. */
  hash?: string;
  pages: PageEntry[];
}

/** A page together with its text. */
export interface Page extends PageEntry {
  file: string;
  text: string;
  hash: string;
}

/** Any other file in the folder, such as an image. */
export interface ContentFile {
  id: string;
  path: string;
  name: string;
  size: number;
  hash: string;
}

/** A file in the folder that is skipped or only partly shown. */
export interface ContentWarning {
  code: 'skipped-file' | 'front-matter' | 'unreadable-folder' | 'missing-page';
  /** Relative to the folder. */
  file: string;
  message: string;
  /** The next step. */
  help?: string;
  /** Where in the file. Both begin at 1. */
  line?: number;
  column?: number;
}

/** The folder's state at one moment. */
export interface Revision {
  id: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** The previous revision. */
  before?: string;
  changes: Change[];
  /** The commit that this revision was imported from or that contains it. */
  git?: GitCommit & {
    /** True if the commit was made from these pages, rather than the pages from the commit. */
    createdByPlatform?: true;
  };
  /** The branch whose merge has made this revision. */
  merged?: MergedBranch;
}

/** What a change request is in the product. */
export interface MergedBranch {
  /** Counts the merges in Git's log. */
  number: number;
  subject: string;
}

export interface GitCommit {
  oid: string;
  message: string;
}

/** A revision that a commit contains. */
export type SyncedRevision = Revision & { git: GitCommit };

export interface Attribute {
  before?: string | number | boolean;
  after?: string | number | boolean;
}

export type Change =
  | { type: 'page_created'; page: PageEntry }
  | { type: 'page_edited'; page: PageEntry; attributes: Record<string, Attribute> }
  | { type: 'page_moved'; page: PageEntry; from: string; to: string }
  | { type: 'page_deleted'; page: PageEntry }
  | { type: 'file_created' | 'file_edited' | 'file_deleted'; file: ContentFile };

/** Stored data about moved pages: the path that a page's id was derived from, by current path. */
export interface MovedPages {
  read(): Record<string, string>;
  write(moved: Record<string, string>): void;
}

/** A folder of Markdown files, used as a space. */
export interface Content {
  /** The folder's path, with links resolved. */
  folder: string;
  /** Resolves when the folder was first read. Until then, there are no pages. */
  ready: Promise<void>;
  pages(): PageEntry[];
  page(id: string): Page | undefined;
  /** Returns the page with this URL path, written without `/` at either end. */
  pageByPath(path: string): Page | undefined;
  /** Lines of a page's file that look like headings, for searches. Only its tree shows which ones are. */
  headingLines(file: string): string;
  files(): ContentFile[];
  /** Returns a file that is not a page, with its bytes. */
  file(path: string): { file: ContentFile; bytes: Uint8Array } | undefined;
  /** Replaces a page's text if its hash has not changed. */
  write(id: string, edit: { text: string; hash: string }): Promise<'written' | 'changed' | 'missing'>;
  /** Creates a page. Resolves to `invalid` if no page can have this path. */
  create(path: string, text: string): Promise<{ id: string } | 'taken' | 'invalid'>;
  /** Moves a page to another path. Moving a folder's page moves the folder. */
  move(id: string, path: string): Promise<'moved' | 'taken' | 'invalid' | 'missing'>;
  /** Deletes a page's file if its hash has not changed. */
  remove(id: string, hash: string): Promise<'removed' | 'changed' | 'missing'>;
  warnings(): ContentWarning[];
  revision(): Revision;
  /** The latest 100 revisions, newest first. */
  revisions(): Revision[];
  changes(revision: string): Change[] | undefined;
  /** Calls the listener with each new revision. Returns a function that removes the listener. */
  subscribe(listener: (revision: Revision) => void): () => void;
  /**
   * Calls the listener with the revision in each new commit, and after `sync`. Returns a function that
   * removes the listener.
   */
  subscribeToSyncs(listener: (revision: SyncedRevision) => void): () => void;
  /**
   * Syncs the folder with Git now, like a commit does. Without a repository, derives the commit id from the
   * pages.
   */
  sync(): Promise<SyncedRevision>;
  /** The repository's Git folder. */
  gitFolder?: string;
  /** The folders to watch. */
  folders(): string[];
  /**
   * Checks these folders, or all of `folders()`, for changes. Resolves to `unsure` if it should check again
   * soon.
   */
  look(folders?: ReadonlySet<string>): Promise<'sure' | 'unsure'>;
  close(): void;
}
