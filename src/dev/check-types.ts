import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Diagnostic } from '../diagnostics/model/diagnostic.js';

interface TypeCheckOptions {
  /** The project's folder. */
  folder: string;
  node: string;
  /** Called after each check with everything that TypeScript reports, as warnings. */
  report(diagnostics: Diagnostic[]): void;
  /** Called with the reason why types cannot be checked, and what to do about it. */
  fail(message: string): void;
}

/** Matches `src/index.ts(3,14): error TS2322: Type 'string' is not assignable to type 'number'.` */
const problem = /^(.+?)\((\d+),(\d+)\): (?:error|warning) TS(\d+): (.*)$/;
const finished = /Found \d+ errors?\. Watching/;

/**
 * Runs the project's own TypeScript version in watch mode in a separate process, so that reloads do not have to wait for it.
 * Returns a function that stops the process.
 */
export function startTypeCheck({ folder, node, report, fail }: TypeCheckOptions): () => void {
  const tsc = findTypeScript(folder);
  const settings = join(folder, 'tsconfig.json');
  if (tsc === undefined || !existsSync(settings)) {
    fail(
      tsc === undefined
        ? 'Types are not checked: TypeScript is not installed in this project. Install it with: npm install --save-dev typescript'
        : `Types are not checked, because there is no tsconfig.json in ${folder}. Add one with: npx --no-install tsc --init`,
    );
    return () => {};
  }
  const child = spawn(
    node,
    [tsc, '--project', settings, '--noEmit', '--watch', '--preserveWatchOutput', '--pretty', 'false'],
    { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true },
  );
  let found: Diagnostic[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const match = problem.exec(line);
    if (match) found.push(toDiagnostic(match, folder));
    // TypeScript indents every line of a message except the first.
    else if (/^\s+\S/.test(line)) found = continueLast(found, line.trim());
    else if (finished.test(line)) {
      report(found);
      found = [];
    }
  });
  let ended = false;
  child.once('error', (error) =>
    fail(`Types are not checked: TypeScript could not be started (${error.message}).`),
  );
  child.once('exit', (code) => {
    if (!ended) fail(`Types are no longer checked: TypeScript exited with code ${code}.`);
  });
  return () => {
    ended = true;
    child.kill();
  };
}

function findTypeScript(folder: string): string | undefined {
  try {
    return createRequire(join(folder, 'package.json')).resolve('typescript/lib/tsc.js');
  } catch {
    return undefined;
  }
}

function toDiagnostic(
  [, file = '', line, column, code, message = '']: RegExpExecArray,
  folder: string,
): Diagnostic {
  const start = { line: Number(line), column: Number(column) };
  return {
    code: `typescript/TS${code}`,
    severity: 'warning',
    message,
    file: resolve(folder, file),
    range: { start, end: start },
  };
}

function continueLast(found: readonly Diagnostic[], text: string): Diagnostic[] {
  const last = found.at(-1);
  return last ? [...found.slice(0, -1), { ...last, message: `${last.message} ${text}` }] : [];
}
