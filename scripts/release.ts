import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { registryReadme } from './registry-readme.js';

interface ReleaseState {
  version: string;
  changelog: string;
  /** The output of `git status --porcelain`. */
  changes: string;
  tags: string[];
  /** The version in package-lock.json. */
  locked: string;
  /** The text of each page that the package contains. */
  pages: ReadonlyMap<string, string>;
}

const unpublished =
  /\b(?:not|isn't|nothing has been) published yet|\bno public repository yet|no-public-home-yet/i;

/** The reason why this commit cannot be released. */
export function releaseProblems({
  version,
  changelog,
  changes,
  tags,
  locked,
  pages,
}: ReleaseState): string[] {
  const early = [...pages].filter(([, text]) => unpublished.test(text)).map(([page]) => page);
  const top = /^## (.*)$/m.exec(changelog)?.[1] ?? 'none';
  return [
    changes.trim() !== '' && `Uncommitted changes:\n${changes.trimEnd()}\nCommit or stash them.`,
    !new RegExp(`^${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`).test(top) &&
      `The top section of CHANGELOG.md is "${top}". Name it "${version} (<today>)".`,
    tags.includes(`v${version}`) && `The tag v${version} already exists. Set a new version in package.json.`,
    locked !== version && `package-lock.json has version ${locked}. Run "npm install --package-lock-only".`,
    early.length > 0 &&
      `These pages say that the package or its repository is not public: ${early.join(', ')}. Set isPublished in scripts/install-text.ts to true, run "npm run generate", and change the rest by hand.`,
  ].filter((problem) => problem !== false);
}

const markdownIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`);

/**
 * Packs a folder for the registry, where the README's links work. Returns the file's name. Also runs `prepack` for users who
 * have turned off scripts, and restores what it changes if it fails.
 */
export function packForRegistry(folder: string, ...options: string[]): string {
  const [readme, manifestFile] = [join(folder, 'README.md'), join(folder, 'package.json')];
  const [text, json] = [readFileSync(readme, 'utf8'), readFileSync(manifestFile, 'utf8')];
  const manifest = JSON.parse(json) as Parameters<typeof registryReadme>[1];
  writeFileSync(readme, registryReadme(text, manifest));
  try {
    execFileSync('npm', ['pack', '--ignore-scripts=false', ...options], { cwd: folder, stdio: 'inherit' });
  } finally {
    writeFileSync(readme, text);
    writeFileSync(manifestFile, json);
  }
  return `${manifest.name}-${manifest.version}.tgz`;
}

function release(): void {
  const output = (command: string, ...args: string[]): string =>
    execFileSync(command, args, { encoding: 'utf8' });
  const run = (command: string, ...args: string[]): void => {
    console.log(`\n$ ${[command, ...args].join(' ')}`);
    execFileSync(command, args, { stdio: 'inherit' });
  };
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { version: string };
  const pages = ['README.md', 'CHANGELOG.md', ...markdownIn('docs')];
  const problems = releaseProblems({
    version,
    changelog: readFileSync('CHANGELOG.md', 'utf8'),
    changes: output('git', 'status', '--porcelain'),
    tags: output('git', 'tag').split('\n'),
    locked: lock.version,
    pages: new Map(pages.map((page) => [page, readFileSync(page, 'utf8')])),
  });
  if (problems.length > 0) {
    console.error(problems.join('\n\n'));
    process.exitCode = 1;
    return;
  }
  // The tests and the packing build the package themselves.
  run('npm', 'ci', '--ignore-scripts');
  run('npm', 'run', 'test:all');
  // Also with the package managers that `test:all` leaves out.
  process.env['PROVE'] = '1';
  run('npx', 'vitest', 'run', '--project', 'install', 'registry');
  console.log('\n$ npm pack');
  const file = packForRegistry('.');
  const checksum = createHash('sha512').update(readFileSync(file)).digest('base64');
  console.log(
    `\nReady. To release:\n  git tag v${version} && git push origin v${version}\n  npm publish ${file}\n\n"npm view integration-platform dist.integrity" then prints sha512-${checksum}.\nTo also publish where the file was built, set "repository" in package.json, and add --provenance --access public in a CI job with an OpenID Connect token.`,
  );
}

/** Explains which command of a release failed. Any other error is a bug, and is thrown. */
export function stepFailure(error: unknown): string {
  if (!(error instanceof Error && 'status' in error)) throw error;
  return `\n${error.message.trimEnd()}\nNothing was tagged or published. Fix what the command reports, commit the fix, and run "npm run release" again.`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    release();
  } catch (error) {
    console.error(stepFailure(error));
    process.exitCode = 1;
  }
}
