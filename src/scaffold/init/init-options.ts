import type { PackageManagerName } from '../tools/package-managers.js';
import type { Language, Visibility } from '../project.js';

/** What the command line gave. */
export interface InitOptions {
  folder?: string;
  template?: string;
  name?: string;
  title?: string;
  description?: string;
  organization?: string;
  visibility?: Visibility;
  scopes?: string[];
  language?: Language;
  packageManager?: PackageManagerName;
  sdk?: string;
  install?: boolean;
  git?: boolean;
  yes?: boolean;
  dryRun?: boolean;
}

/** A question in the terminal. */
export interface Question {
  name: string;
  message: string;
  type: 'text' | 'select' | 'confirm';
  initial?: string | number | boolean;
  choices?: { title: string; value: string; description?: string }[];
  validate?(value: string): true | string;
}

/** The world, as far as `init` touches it beside the file system. */
export interface InitWorld {
  cwd: string;
  /** The Node that runs this. */
  execPath: string;
  env: Readonly<Record<string, string | undefined>>;
  /** There is a terminal to ask in. */
  interactive: boolean;
  /** `undefined` where the person gave up. */
  ask(questions: Question[]): Promise<Record<string, unknown> | undefined>;
  random(bytes: number): Uint8Array;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs a command and shows its output. Throws where it fails. */
  run(command: string, options: { cwd: string }): Promise<void>;
  note(text: string): void;
}
