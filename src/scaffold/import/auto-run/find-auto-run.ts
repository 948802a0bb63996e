import { posix } from 'node:path';
import { toText, type ProjectFiles } from '../../files/files-in-memory.js';
import { devSettingsFileName, readTree, toValue } from '../../../manifest/index.js';
import { lineOf, type OpenDecision } from '../model/open-decision.js';
import { settingsOf } from './manager-settings.js';
import { hooksIn } from './package-hooks.js';
import { quoted, type AutoRun, type Unsafe } from './auto-run.js';
import { listAt, recordAt, textAt } from '../../../base/value-at-path.js';

interface Kind {
  /**
   * Matches the normalized path. All paths that some file system or package manager treats as the same have the same
   * normalized form.
   */
  path: RegExp;
  when: string;
  unsafe?: Unsafe;
  /** Matches the line that shows what the file runs. */
  shows?: RegExp;
  /** Matches harmless lines. A file with only such lines needs no decision. */
  plain?: RegExp;
}

const command = /"(?:runOn|program|script|\w*command|\w*path)"\s*:\s*"[^"\n]+"/i;

/** Matches only package.json scripts, lint-staged, commitlint, and the lines that older versions of husky wrote. */
const plainHook =
  /^(?:#.*|\. "\$\(dirname -- "\$0"\)\/_\/husky\.sh"|(?:npm|yarn|pnpm|bun) (?:run )?(?:test|lint|format|check|typecheck|type-check|build)(?::[\w-]+)*|(?:npx|yarn|pnpm|bunx)(?: (?:exec|--no|--no-install|--))* (?:lint-staged|commitlint --edit "?\$\{?1\}?"?))?$/;

const kinds: readonly Kind[] = [
  {
    path: /(^|\/)(\.pnpmfile\.[cm]?js|pnpmfile\.[cm]?js|bunfig\.toml)$/,
    when: 'The package manager loads this file when it installs packages.',
    unsafe: 'install',
    shows: /^(?![ \t]*(?:#|\/\/|\/?\*|$)).+$/m,
  },
  {
    path: /(^|\/)\.yarn\/(releases|plugins)\//,
    when: 'Yarn can run this file whenever it starts.',
    unsafe: 'install',
  },
  {
    path: /(^|\/)package\.(json5|ya?ml)$/,
    when: 'pnpm reads this file instead of package.json, and runs its scripts when it installs packages.',
    unsafe: 'install',
  },
  {
    path: /(^|\/)binding\.gyp$/,
    when: 'npm runs node-gyp with this file when it installs packages.',
    unsafe: 'scripts',
    shows: /^.*(?:<!@?\(|"?(?:action|command)).*$/m,
  },
  {
    path: /\.(tgz|tar|tar\.gz)$/,
    when: 'The package manager can install this archive, and runs the scripts in it.',
    unsafe: 'scripts',
  },
  {
    path: /(^|\/)(\.husky|\.githooks|\.git-hooks|\.hooks)\/(?!.*\.md$)/,
    when: 'A Git hook can run this file.',
    shows: /^(?![ \t]*(?:#|$)).+$/m,
    plain: plainHook,
  },
  {
    path: /(^|\/)(\.?lefthook(-local)?\.(ya?ml|toml|json)|\.?simple-git-hooks\.(json|[cm]?js)|\.huskyrc(\.\w+)?|\.pre-commit-config\.ya?ml|\.overcommit\.yml)$/,
    when: 'This file defines Git hooks, which run when you commit.',
    shows: /^.*(?:\brun|\bentry|\bpre-?commit"?)[^\S\n]*:[^\S\n]*\S.*$/m,
  },
  {
    path: /(^|\/)(\.vscode\/(?!extensions)[^/]+\.json|[^/]+\.code-workspace|\.idea\/.*|\.run\/.*|\.fleet\/.*|\.zed\/.*|\.theia\/.*|\.vs\/.*|\.nova\/.*|[^/]+\.sublime-project)$/,
    when: 'Editors can run the commands in this file automatically when they open the folder.',
    shows: command,
  },
  {
    path: /(^|\/)\.devcontainer(\/.*|\.json)$|(^|\/)\.gitpod\.yml$|(^|\/)\.codesandbox\//,
    when: 'A development container runs the commands in this file when it is created or started.',
    shows: /"\w*Command"\s*:.*|^.*\b(?:RUN|command:|init:)\s.*$/m,
  },
  {
    path: /(^|\/)(\.envrc|\.autoenv(\.zsh)?|\.?mise(\.[\w.]+)?\.toml|\.?mise\/.*|\.config\/mise.*|\.rtx\.toml|\.exrc|\.n?vimrc|\.nvim\.lua|\.lvimrc|\.dir-locals\.el)$/,
    when: 'A shell or an editor can run this file when you enter the folder.',
    shows: /^(?![ \t]*(?:#|"|;|--|\[|$)).+$/m,
  },
  {
    path: /(^|\/)(\.?mcp\.json|opencode\.jsonc?|crush\.json|\.(cursor|claude|windsurf|gemini)\/.*\.(json|sh|[cm]?[jt]s))$/,
    when: 'Coding assistants can run the commands in this file when they open the folder.',
    shows: command,
  },
  {
    path: /(^|\/)(agents?|claude|gemini|qwen|warp|crush)(\.local|\.override)?\.md$/,
    when: 'Coding assistants follow the instructions in this file.',
  },
  {
    path: /^(\.github\/(workflows|actions)\/.*|\.gitlab-ci\.yml|\.circleci\/.*|\.travis\.yml|azure-pipelines\.yml|bitbucket-pipelines\.yml|jenkinsfile|appveyor\.yml|buildspec\.ya?ml|cloudbuild\.ya?ml|\.drone\.yml|\.woodpecker(\/.*|\.ya?ml))$/,
    when: 'CI runs this file, with access to your CI secrets, whenever you push.',
    shows: /^.*\b(?:run|script)[^\S\n]*:.*$/m,
  },
];

/** Dot files and folders that run nothing, or only what someone starts, such as a linter. */
const harmless = new RegExp(
  [
    String.raw`(^|/)\.(git(ignore|attributes|keep)|keep|mailmap|editorconfig|env(\.[\w.-]+)?|dev\.vars(\.example)?|nvmrc|node-version)$`,
    String.raw`(^|/)\.(npm|docker|eslint|prettier|stylelint|vercel|gcloud)ignore$`,
    String.raw`(^|/)\.(npmrc|yarnrc(\.yml)?|browserslistrc|markdownlint(rc)?(\.\w+)?|markdownlintignore|yamllint(\.ya?ml)?|codespellrc|typos\.toml|cspell\.\w+|all-contributorsrc)$`,
    String.raw`(^|/)\.(eslintrc|prettierrc|stylelintrc|oxlintrc|oxfmtrc|babelrc|swcrc|mocharc|nycrc|c8rc|taprc|jshintrc|postcssrc)(\.\w+)?$`,
    String.raw`^\.github/(issue_template/.*|pull_request_template(/.*|\.md)|codeowners|funding\.yml|dependabot\.yml|(contributing|security|support|code_of_conduct)\.md)$`,
    String.raw`^\.gitlab/(issue|merge_request)_templates/.*|^\.changeset/[^/]*\.(md|json)$|(^|/)\.vscode/extensions\.json$`,
    String.raw`(^|/)\.(husky|githooks|git-hooks|hooks)/.*\.md$`,
  ].join('|'),
);

const firstDot = /^(?:[^/.][^/]*\/)*\.[^/]+/;

/** Returns the dot file or dot folder that contains a file, unless a more specific decision covers the file. */
function unknownDot(file: string, path: string): string | undefined {
  const [dot] = firstDot.exec(path) ?? [];
  if (dot === undefined || harmless.test(path) || kinds.some((kind) => kind.path.test(path)))
    return undefined;
  const names = file.split('/');
  const depth = dot.split('/').length;
  return depth < names.length ? `${names.slice(0, depth).join('/')}/` : file;
}

/** The maximum size of a file to read. Such files are usually much smaller. */
const maxBytes = 256 * 1024;

const remedy = 'Keep it only if you know what it does.';

interface AutoRunFiles {
  decisions: OpenDecision[];
  unsafe: Unsafe | undefined;
}

export function findAutoRun(files: ProjectFiles): AutoRunFiles {
  const names = new Set([...files.keys()].map(asRead));
  const decisions: OpenDecision[] = [];
  const unsafe = new Set<Unsafe>();
  const dots = new Set<string>();
  for (const [file, bytes] of files) {
    const path = asRead(file);
    const name = posix.basename(path);
    const text = toText(bytes.subarray(0, maxBytes));
    const found: AutoRun[] = [
      ...kinds
        .filter((kind) => kind.path.test(path) && !isPlain(bytes, kind))
        .map((kind) => describe(text, kind)),
      ...(isBareRepository(path, names)
        ? [{ message: `This looks like a Git repository. Git settings can run programs. ${remedy}` }]
        : []),
      ...lockedSources(name, bytes),
      ...settingsOf(name, text),
      ...(name === 'package.json' ? hooksIn(file, toText(bytes)) : []),
      ...(name === devSettingsFileName ? devChoices(toText(bytes)) : []),
    ];
    const dot = unknownDot(file, path);
    if (dot !== undefined && !dots.has(dot)) {
      dots.add(dot);
      decisions.push({
        file: dot,
        message: `Another program, such as an assistant, an editor or CI, may run this or follow its instructions. ${remedy}`,
      });
    }
    for (const { unsafe: kind, ...decision } of found) {
      decisions.push({ file, ...decision });
      if (kind) unsafe.add(kind);
    }
  }
  return { decisions, unsafe: (['install', 'scripts'] as const).find((kind) => unsafe.has(kind)) };
}

/** Converts a path to lower case and removes invisible characters and trailing dots, because some file systems ignore them. */
export const asRead = (path: string): string =>
  path
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{Cf}\p{Cc}]/gu, '')
    .split('/')
    .map((name) => name.replace(/[. ]+$/, '') || name)
    .join('/');

function describe(text: string, { when, unsafe, shows }: Kind): AutoRun {
  const [excerpt] = (shows && shows.exec(text)) ?? [];
  const line = excerpt === undefined ? undefined : lineOf(text, excerpt);
  return {
    ...(line !== undefined && { line }),
    message: `${when}${excerpt === undefined ? '' : ` It contains ${quoted(excerpt)}.`} ${remedy}`,
    ...(unsafe && { unsafe }),
  };
}

/** Reads the whole file, because a command may follow many harmless lines. */
const isPlain = (bytes: Uint8Array, { plain }: Kind): boolean =>
  plain !== undefined &&
  toText(bytes)
    .split('\n')
    .every((line) => plain.test(line.trim()));

const isBareRepository = (name: string, names: ReadonlySet<string>): boolean => {
  const folder = posix.dirname(name);
  return posix.basename(name) === 'config' && names.has(posix.join(folder, 'head'));
};

const lockFiles = /^(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock)$/;
const sourceLine = /\b(?:resolved|resolution|version|tarball)\b"?[\s:]|^\s*"[^"]+": \[/;
const registries = new Set(['registry.npmjs.org', 'registry.yarnpkg.com', 'registry.npmjs.com']);

/** Match a URL, or a path that points outside the folder. */
const places = [
  /\b[a-z][a-z+]{0,10}:\/\/(?:[^/@\s"']*@)?([^/:\s"'#]+)[^\s"',}]*/g,
  /(?:\bfile:|"resolved"\s*:\s*"|\b(?:directory|tarball):\s*)(\.\.\/|\/(?!\/)|~\/|[^\s"'/:,]*[%\\])[^\s"',}]*/g,
];

/** Returns a decision for each package source in a lock file, except the public registry. */
function lockedSources(name: string, bytes: Uint8Array): AutoRun[] {
  if (!lockFiles.test(name)) return [];
  const found = new Map<string, AutoRun>();
  for (const [index, content] of toText(bytes).split('\n').entries()) {
    if (!sourceLine.test(content)) continue;
    for (const [address, host = ''] of places.flatMap((place) => [...content.matchAll(place)])) {
      if (registries.has(host) && address.startsWith('https:')) continue;
      if (found.has(host)) continue;
      const message = `The lock file installs packages from ${host}, first ${quoted(address.replace(/\/\/[^/@]*@/, '//…@'))}. Keep it only if you trust it.`;
      found.set(host, { line: index + 1, message, unsafe: 'scripts' });
    }
  }
  return [...found.values()];
}

/** Returns a decision for each setting in `platform.dev.yaml` that reaches beyond the project, even if others are invalid. */
function devChoices(text: string): AutoRun[] {
  const { root } = readTree(text);
  if (!root)
    return [{ message: 'This file is not valid YAML, so it may choose an editor, folders or servers.' }];
  const settings = toValue(root);
  const choice = (part: string | undefined, message: string): AutoRun[] => {
    const line = part === undefined ? undefined : lineOf(text, part);
    const whole = {
      ...(line !== undefined && { line }),
      message: `${message} Keep it only if you trust it.`,
    };
    return part === undefined ? [] : [whole];
  };
  const editor = textAt(settings, 'editor');
  return [
    ...choice(editor && 'editor', `platform dev uses the editor ${quoted(editor ?? '')}.`),
    ...listAt(settings, 'spaces').flatMap((space) => {
      const content = textAt(space, 'content');
      return choice(content, `platform dev serves pages from the folder ${quoted(content ?? '')}.`);
    }),
    ...Object.entries(recordAt(settings, 'outbound')).flatMap(([host, double]) =>
      choice(
        textAt(double, 'credentials') === 'real' ? host : undefined,
        `platform dev sends real secrets for ${quoted(host)} to another server.`,
      ),
    ),
  ];
}
