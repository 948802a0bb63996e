import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

interface ReleaseState {
  version: string;
  changelog: string;
  /** The output of `git status --porcelain`. */
  changes: string;
  tags: string[];
}

/** The reason why this commit cannot be released. */
export function releaseProblems({ version, changelog, changes, tags }: ReleaseState): string[] {
  const top = /^## (.*)$/m.exec(changelog)?.[1] ?? 'none';
  return [
    changes.trim() !== '' && `Uncommitted changes:\n${changes.trimEnd()}\nCommit or stash them.`,
    !new RegExp(`^${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`).test(top) &&
      `The top section of CHANGELOG.md is "${top}". Name it "${version} (<today>)".`,
    tags.includes(`v${version}`) && `The tag v${version} already exists. Set a new version in package.json.`,
  ].filter((problem) => problem !== false);
}

function release(): void {
  const output = (command: string, ...args: string[]): string =>
    execFileSync(command, args, { encoding: 'utf8' });
  const run = (command: string, ...args: string[]): void => {
    console.log(`\n$ ${[command, ...args].join(' ')}`);
    execFileSync(command, args, { stdio: 'inherit' });
  };
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const problems = releaseProblems({
    version,
    changelog: readFileSync('CHANGELOG.md', 'utf8'),
    changes: output('git', 'status', '--porcelain'),
    tags: output('git', 'tag').split('\n'),
  });
  if (problems.length > 0) {
    console.error(problems.join('\n\n'));
    process.exitCode = 1;
    return;
  }
  run('npm', 'ci');
  run('npm', 'run', 'test:all');
  run('npm', 'pack');
  console.log(
    `\nReady. To release:\n  git tag v${version} && git push --tags\n  npm publish integration-platform-${version}.tgz`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) release();
