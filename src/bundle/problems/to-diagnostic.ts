import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Location, Message } from 'esbuild';
import { detectPackageManager } from '../../base/node/detect-package-manager.js';
import { findUp } from '../../base/node/folders-up.js';
import { isInside } from '../../base/node/is-inside.js';
import { relativePath } from '../../base/node/relative-path.js';
import type { Diagnostic, Position, Range } from '../../diagnostics/model/diagnostic.js';
import type { Profile } from '../../profiles/profile.js';
import { readOrEmpty } from '../build-inputs.js';
import { packageNameIn, workspaceFolderOf } from '../workspace-package.js';
import { severityOf, type BundleCode } from './bundle-problems.js';

/** The `detail` that our plugins attach to a message to identify the problem. */
export interface MessageDetail {
  code: BundleCode;
  help?: string;
}

/** The bundler's errors have no codes, so they are identified by the beginning of their text. */
const kinds: readonly [pattern: RegExp, code: BundleCode][] = [
  [/^Could not resolve /, 'bundle/unresolved-import'],
  [/^No matching export /, 'bundle/missing-export'],
  [/^No loader is configured /, 'bundle/unknown-file-type'],
  [
    /^(Unexpected|Expected|Unterminated|Invalid|Syntax error)\b|already been declared$/,
    'bundle/syntax-error',
  ],
];

export function toDiagnostic(
  { text, location, detail, notes }: Message,
  severity: 'error' | 'warning',
  { folder, entry, profile }: { folder: string; entry: string; profile?: Profile | undefined },
): Diagnostic {
  const own = detail as MessageDetail | undefined;
  const found = kinds.find(([pattern]) => pattern.test(text))?.[1] ?? 'bundle/build-error';
  const code = own?.code ?? (severity === 'warning' ? 'bundle/suspicious-code' : found);
  const file = location ? resolve(folder, location.file) : entry;
  // An error of an import quotes only its name, so the project's workspace may be as far as its repository.
  const shown = code === 'bundle/unresolved-import' ? repositoryOf(folder) : folder;
  const isHidden = !own && !isInside(file, realpathSync(shown));
  const message = isHidden ? text.replace(/".*"/s, '"…"') : text;
  const explained =
    own?.help ??
    helpFor(code, text, profile && { folder, file }) ??
    notes.find((note) => !note.location)?.text;
  const help = isHidden ? hiddenHelp : explained;
  return {
    code,
    severity: severityOf(code),
    message: /[.!?]$/.test(message) ? message : `${message}.`,
    ...(help && { help }),
    file,
    ...(location && { range: rangeOf(location) }),
  };
}

/** Returns the root of the project's Git repository. One that contains the home folder does not count. */
function repositoryOf(folder: string): string {
  const git = findUp(folder, '.git');
  return git === undefined || isInside(homedir(), dirname(git)) ? folder : dirname(git);
}

/** The bundler quotes source lines in its messages, and a project can make it read any file on the machine. */
const hiddenHelp =
  'The file is outside the project folder, so this message does not quote it. Open it at this line.';

/** `inPlace` is set if the project was made for another platform. */
function helpFor(
  code: BundleCode,
  text: string,
  inPlace: { folder: string; file: string } | undefined,
): string | undefined {
  if (code === 'bundle/unknown-file-type') {
    return 'Only code, JSON and text (.txt, .md, .html, .css, .svg and .raw.*) can be imported. Host other files elsewhere, or include them as strings.';
  }
  if (text.startsWith('The JSX syntax extension ')) return 'Rename the file so that it ends in .jsx or .tsx.';
  if (code !== 'bundle/unresolved-import') return undefined;
  const [, path = ''] = /"(.*)"/.exec(text) ?? [];
  return path.startsWith('.') || path.startsWith('/')
    ? `The path is relative to the importing file. Check that the file exists and that the spelling matches.${inPlace ? buildFirst(inPlace.folder) : ''}`
    : inPlace
      ? helpInPlace(inPlace, packageNameIn(path))
      : `To install the package: npm install ${packageNameIn(path)}`;
}

function buildFirst(folder: string): string {
  const hasBuild = /"scripts"\s*:\s*\{[^}]*"build"\s*:/.test(readOrEmpty(join(folder, 'package.json')));
  const command = `${detectPackageManager({ folder, env: {} })} run build`;
  return ` If a script creates it, run that first${hasBuild ? `: ${command}` : '.'}`;
}

function helpInPlace({ folder, file }: { folder: string; file: string }, name: string): string {
  const manager = detectPackageManager({ folder, env: {} });
  const home = workspaceFolderOf(name, dirname(file));
  return home === undefined
    ? `Install the project's packages: ${manager} install`
    : `The package is in ${relativePath(folder, home)} and may need a build. In that folder, run: ${manager} run build`;
}

/** esbuild counts columns in bytes from 0. Diagnostics count UTF-16 units from 1. */
function rangeOf({ line, column, length, lineText }: Location): Range {
  const bytes = Buffer.from(lineText);
  const at = (offset: number): Position => ({
    line,
    column: bytes.subarray(0, offset).toString().length + 1,
  });
  return { start: at(column), end: at(column + length) };
}
