import type { PackageManagerName } from '../../base/node/detect-package-manager.js';
import type { Language, Visibility } from './project.js';

/** Options from the command line. */
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

export interface Question {
  name: string;
  message: string;
  type: 'text' | 'select' | 'confirm';
  initial?: string | number | boolean;
  choices?: { title: string; value: string; description?: string }[];
  validate?(value: string): true | string;
}

/** Everything that `init` uses apart from the file system. */
export interface InitWorld {
  cwd: string;
  execPath: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Whether there is a terminal where questions can be asked. */
  interactive: boolean;
  /** Resolves to undefined if the user has canceled. */
  ask(questions: Question[]): Promise<Record<string, unknown> | undefined>;
  random(bytes: number): Uint8Array;
  now(): number;
  /** Runs a command and shows its output. Throws if the command fails. */
  run(command: string, options: { cwd: string }): Promise<void>;
  note(text: string): void;
}
