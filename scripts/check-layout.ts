import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The linter has the same limit for code. */
const mostLines = 600;

const styles = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file.endsWith('.css') && existsSync(file));

const problems = styles
  .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
  .filter(({ lines }) => lines > mostLines)
  .map(
    ({ file, lines }) =>
      `${file} has ${lines} lines. Split it by topic: a file may have at most ${mostLines}.`,
  );
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
