/** A page, or a folder without a page of its own. Listed in reading order. */
export interface PageEntry {
  /** Stays the same when the file is moved or renamed. */
  id: string;
  type: 'document' | 'group';
  /** Without ending, below the space: `guides/start`. The first page's is empty. */
  path: string;
  /** The last part of the path. */
  slug: string;
  title: string;
  description?: string;
  hidden: boolean;
  order?: number;
  /** Relative to the folder, with `/`. A group has none. */
  file?: string;
  /** Of the text, for edits. A group has none. */
  hash?: string;
  pages: PageEntry[];
}

/** A page together with its text. */
export interface Page extends PageEntry {
  file: string;
  text: string;
  hash: string;
}

/** Any other file of the folder, such as a picture. */
export interface ContentFile {
  id: string;
  path: string;
  name: string;
  size: number;
  hash: string;
}

/** A file of the folder that is not shown, or not with all that it says. */
export interface ContentWarning {
  code: 'skipped-file' | 'front-matter' | 'unreadable-folder';
  /** Relative to the folder. */
  file: string;
  message: string;
}

/** The folder at one moment. */
export interface Revision {
  id: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** The revision that this one was made from. */
  before?: string;
  changes: Change[];
  /** The commit that it came from, or that contains it. */
  git?: GitCommit & {
    /** The commit was made from these pages, not the pages from the commit. */
    createdByPlatform?: true;
  };
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

/** What the state keeps: by current path, the path that the id of a moved page was made from. */
export interface MovedPages {
  read(): Record<string, string>;
  write(moved: Record<string, string>): void;
}

/** A folder of Markdown as a space. */
export interface Content {
  /** Where the files are, without links. */
  folder: string;
  /** Resolves when the folder was read for the first time. Before, there are no pages. */
  ready: Promise<void>;
  pages(): PageEntry[];
  page(id: string): Page | undefined;
  /** Of the page with this path, in the address without `/` at both ends. */
  pageByPath(path: string): Page | undefined;
  files(): ContentFile[];
  /** The bytes of a file that is not a page. */
  file(path: string): { file: ContentFile; bytes: Uint8Array } | undefined;
  /** Replaces the text of a page, if it still is the one with this hash. */
  write(id: string, edit: { text: string; hash: string }): Promise<'written' | 'changed' | 'missing'>;
  /** Makes a page. `invalid` if no page can have this path. */
  create(path: string, text: string): Promise<{ id: string } | 'taken' | 'invalid'>;
  /** Gives a page another path. A folder's page takes its folder along. */
  move(id: string, path: string): Promise<'moved' | 'taken' | 'invalid' | 'missing'>;
  /** Deletes a page's file, if its text still has this hash. */
  remove(id: string, hash: string): Promise<'removed' | 'changed' | 'missing'>;
  warnings(): ContentWarning[];
  revision(): Revision;
  /** The newest 100, newest first. */
  revisions(): Revision[];
  changes(revision: string): Change[] | undefined;
  /** Called with each new revision. Returns what ends it. */
  subscribe(listener: (revision: Revision) => void): () => void;
  /** Called with the revision that a new commit contains, and by `sync`. Returns what ends it. */
  subscribeToSyncs(listener: (revision: SyncedRevision) => void): () => void;
  /** Syncs the folder with Git now, as a commit does. Without a repository, the commit's id is made from the pages. */
  sync(): Promise<SyncedRevision>;
  /** The folder in which Git keeps the repository. */
  gitFolder?: string;
  /** The folders to watch. */
  folders(): string[];
  /**
   * Looks for changes now, in these of `folders()` or in all, and resolves when they are known: `unsure` if it should
   * look again soon.
   */
  look(folders?: ReadonlySet<string>): Promise<'sure' | 'unsure'>;
  close(): void;
}
