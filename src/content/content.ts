/** A page, or a folder that has no page of its own. Entries are listed in reading order. */
export interface PageEntry {
  /** Stays the same when the file is moved or renamed. */
  id: string;
  type: 'document' | 'group';
  /** The path within the space, without the extension, such as `guides/start`. Empty for the first page. */
  path: string;
  /** The last part of the path. */
  slug: string;
  title: string;
  description?: string;
  hidden: boolean;
  order?: number;
  /** Path relative to the folder, with `/` as the separator. Undefined for a group. */
  file?: string;
  /** The hash of the text, which is needed to edit the page. Undefined for a group. */
  hash?: string;
  pages: PageEntry[];
}

/** A page together with its text. */
export interface Page extends PageEntry {
  file: string;
  text: string;
  hash: string;
}

/** A file in the folder that is not a page, such as an image. */
export interface ContentFile {
  id: string;
  path: string;
  name: string;
  size: number;
  hash: string;
}

/** A warning that a file in the folder is skipped or only partly shown. */
export interface ContentWarning {
  code: 'skipped-file' | 'front-matter' | 'unreadable-folder' | 'missing-page';
  /** The file's path, relative to the folder. */
  file: string;
  message: string;
  /** What to do next. */
  help?: string;
  /** The position in the file. Lines and columns both start at 1. */
  line?: number;
  column?: number;
}

/** The state of the folder at one point in time. */
export interface Revision {
  id: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** The id of the previous revision. */
  before?: string;
  changes: Change[];
  /** The commit that this revision was imported from, or the commit that contains it. */
  git?: GitCommit & {
    /** True if the commit was made from this revision's pages. False if the pages were imported from the commit. */
    createdByPlatform?: true;
  };
  /** The branch that was merged to create this revision. */
  merged?: MergedBranch;
}

/** A merged branch, which corresponds to a change request in the product. */
export interface MergedBranch {
  /** The sequence number of the merge in Git's log. */
  number: number;
  subject: string;
}

export interface GitCommit {
  oid: string;
  message: string;
}

export type SyncedRevision = Revision & {
  git: GitCommit;
  /** What asked for the sync, if known. */
  from?: string | undefined;
};

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

/** For each moved page, its current path and the path that its id was derived from. */
export interface MovedPages {
  read(): Record<string, string>;
  write(moved: Record<string, string>): void;
}

/** A folder of Markdown files, used as a space. */
export interface Content {
  /** The folder's path, with symlinks resolved. */
  folder: string;
  /** Resolves when the folder has been read for the first time. Until then, there are no pages. */
  ready: Promise<void>;
  pages(): PageEntry[];
  page(id: string): Page | undefined;
  /** Returns the page at a URL path. The path must not have `/` at either end. */
  pageByPath(path: string): Page | undefined;
  /**
   * Returns the lines in a page's file that look like headings, for searching. The page has not been parsed, so some of them
   * may not be headings.
   */
  headingLines(file: string): string;
  files(): ContentFile[];
  /** Returns the text of a page's file, or of another Markdown file for `{% include %}`. */
  textOf(file: string): string | undefined;
  /** Returns the bytes of a file that is not a page. */
  file(path: string): { file: ContentFile; bytes: Uint8Array } | undefined;
  /** Replaces a page's text, provided that its hash has not changed. */
  write(id: string, edit: { text: string; hash: string }): Promise<'written' | 'changed' | 'missing'>;
  /** Creates a page. Resolves to `invalid` if a page cannot have this path. */
  create(path: string, text: string): Promise<{ id: string } | 'taken' | 'invalid'>;
  /** Moves a page to another path. A folder's page takes its folder with it. */
  move(id: string, path: string): Promise<'moved' | 'taken' | 'invalid' | 'missing'>;
  /** Deletes a page's file, provided that its hash has not changed. */
  remove(id: string, hash: string): Promise<'removed' | 'changed' | 'missing'>;
  warnings(): ContentWarning[];
  revision(): Revision;
  /** Returns the latest 100 revisions, newest first. */
  revisions(): Revision[];
  /** Returns a text by its hash. Texts of pages that were opened or changed recently are kept. */
  text(hash: string): string | undefined;
  changes(revision: string): Change[] | undefined;
  /** Calls the listener with each new revision. Returns a function that removes the listener. */
  subscribe(listener: (revision: Revision) => void): () => void;
  /**
   * Calls the listener with a revision whenever a new commit contains it, and after `sync`. Returns a function that removes
   * the listener.
   */
  subscribeToSyncs(listener: (revision: SyncedRevision) => void): () => void;
  /**
   * Syncs the folder with Git right away, as a commit would. If there is no repository, derives the commit id from the
   * pages. Listeners receive `from`.
   */
  sync(from?: string): Promise<SyncedRevision>;
  /** The repository's Git folder. */
  gitFolder?: string;
  /** Returns the folders to watch. */
  folders(): string[];
  /**
   * Checks these folders for changes, or all of `folders()` if no folders are given. Resolves to `unsure` if the caller should
   * check again soon.
   */
  look(folders?: ReadonlySet<string>): Promise<'sure' | 'unsure'>;
  close(): void;
}
