import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** These folders hold one small file per entry, so they may have any number of files. */
const registries = ['src/manifest/check/rules', 'src/publish/checks', 'src/console/markup/elements'];
const mostFiles = 14;
/** The linter has the same limit for code. */
const mostLines = 350;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'test'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => existsSync(file) && !/^test\/(fixtures|bench\/peers)\//.test(file));

const folders = new Map<string, number>();
for (const file of files.filter((name) => /^src\/.*[.](tsx?|css)$/.test(name)))
  folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);

const problems = [
  ...[...folders]
    .filter(([folder, count]) => count > mostFiles && !registries.includes(folder))
    .map(
      ([folder, count]) => `${folder} has ${count} files. Split it: a folder may have at most ${mostFiles}.`,
    ),
  ...files
    .filter((file) => file.endsWith('.css'))
    .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > mostLines)
    .map(
      ({ file, lines }) =>
        `${file} has ${lines} lines. Split it by topic: a file may have at most ${mostLines}.`,
    ),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
