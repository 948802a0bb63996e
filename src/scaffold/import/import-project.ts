import { basename, join, posix } from 'node:path';
import { UserError } from '../../base/user-error.js';
import { renderDiff } from '../../diagnostics/report/render-diff.js';
import { manifestFileName, manifestName, maxManifestBytes } from '../../manifest/index.js';
import { decodeText, isText } from '../files/decode-text.js';
import { toBytes, toText, type ProjectFiles } from '../files/files-in-memory.js';
import { parsePackageFile, type PackageFile } from '../tools/read-package-file.js';
import { environmentExample, environmentFile, withIgnored } from './manifest/env-files.js';
import { rewriteManifest, type ManifestChoices } from './manifest/rewrite-manifest.js';
import type { Step } from '../../terminal/progress-line.js';
import type { OpenDecision, Rewritten } from './model/open-decision.js';
import { typeCheckScript } from './package/package-scripts.js';
import { dependsOn, newPackage, rewritePackage, type WantedPackage } from './package/rewrite-package.js';
import { packagesImported } from './package/wanted-packages.js';
import { readProject, type ReadProject } from './read-foreign-project.js';
import { findOrigin, isSource, type Origin } from './model/recognise-origin.js';
import { findGeneratedFiles } from './source/generated-files.js';
import { rewriteSource } from './source/rewrite-source.js';
import { declareTextModules } from './source/text-modules.js';
import { findSurroundingRepository, type SurroundingRepository } from './model/surrounding-repository.js';
import { createInheritance, type InheritSettings } from './tsconfig/inherited-settings.js';
import { parseTsconfig } from '../tools/parse-tsconfig.js';
import type { Unsafe } from './auto-run/auto-run.js';
import { asRead, findAutoRun } from './auto-run/find-auto-run.js';
import {
  fileOfBrowsers,
  neededTypes,
  needsWorkerTypes,
  packageOfTypes,
  workers,
} from './tsconfig/needed-types.js';
import { newTsconfig, rewriteTsconfig } from './tsconfig/rewrite-tsconfig.js';

export interface ImportedProject {
  files: ProjectFiles;
  /** The permissions of the files that were there before. */
  modes: ReadonlyMap<string, number>;
  diff: string;
  /** What the author must decide or check. */
  decisions: OpenDecision[];
  /** Scripts in package.json that generate files that the sources import. */
  generating: string[];
  /** Whether there is a tsconfig file for checking types, and the script that checks them. */
  typeCheck: { script: string | undefined } | undefined;
  /** What must not be installed or run until the author has decided. */
  unsafe: Unsafe | undefined;
}

export interface ImportOptions {
  sdkSpec: string;
  choices?: ManifestChoices;
  /** Where the dependencies will be installed, relative to the new folder. */
  nodeModules?: string;
  step?: Step;
}

/** Imports an integration from another platform by adapting its manifest and its imports. */
export async function importProject(
  from: string,
  { sdkSpec, choices = {}, nodeModules, step = async () => {} }: ImportOptions,
): Promise<ImportedProject> {
  const read = await readProject(from, step);
  const { files: before } = read;
  const manifestPath = findManifestIn(before, from);
  const repository = findSurroundingRepository(from);
  const project = {
    from,
    before,
    manifestPath,
    origin: findOrigin(before),
    sdkSpec,
    repository,
    inherit: createInheritance(repository),
    packages: parsePackageFile(textOf(before, 'package.json'))?.content,
  };
  const files = new Map<string, Uint8Array>();
  const decisions = leftBehind(read);
  let diff = '';
  const add = (path: string, former: string, { text, notes }: Rewritten, bytes?: Uint8Array): void => {
    files.set(path, bytes && text === former ? bytes : toBytes(bytes?.[0] === 0xef ? `\uFEFF${text}` : text));
    decisions.push(...notes.map((note) => ({ file: path, ...note })));
    if (text !== former) diff += renderDiff(path, { text: former }, { text });
  };
  const manifestText = decodeText(before.get(manifestPath) ?? new Uint8Array(), manifestPath);
  const manifest = rewriteManifest(manifestText.replace(/^\uFEFF/, ''), choices, nodeModules);
  for (const [path, bytes] of before) {
    await step(`Rewriting ${path}`);
    const text = toText(bytes);
    const rewritten = path === manifestPath ? manifest : rewrite(path, text, project);
    if (rewritten && isText(bytes))
      add(path === manifestPath ? manifestFileName : path, text, rewritten, bytes);
    else files.set(path, bytes);
    if (rewritten && !isText(bytes)) decisions.push({ file: path, message: notUtf8 });
  }
  for (const [path, text] of missingFiles(project, manifest.text))
    add(path, '', rewrite(path, text, project) ?? { text, notes: [] });
  for (const [path, variables] of manifest.variables)
    add(path, '', { text: environmentFile(variables), notes: [] });
  const scripts = parsePackageFile(textOf(files, 'package.json'))?.content.scripts ?? {};
  const generated = findGeneratedFiles(files, scripts);
  const former = ofFormerPlatform(project);
  const found = findAutoRun(files);
  const autoRun = {
    ...found,
    decisions: found.decisions.filter(({ file }) => !former.some((other) => other.file === file)),
  };
  decisions.push(...generated.decisions, ...former);
  return {
    files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))),
    modes: read.modes,
    diff,
    decisions: inOrder(withAutoRun(decisions, autoRun.decisions)),
    generating: generated.scripts,
    typeCheck: files.has('tsconfig.json') ? { script: typeCheckScript(scripts) } : undefined,
    unsafe: autoRun.unsafe,
  };
}

interface Project {
  from: string;
  before: ProjectFiles;
  manifestPath: string;
  origin: Origin | undefined;
  sdkSpec: string;
  repository: SurroundingRepository;
  inherit: InheritSettings;
  packages: PackageFile | undefined;
}

const textOf = (files: ProjectFiles, path: string): string => toText(files.get(path) ?? new Uint8Array());

const inOrder = (decisions: readonly OpenDecision[]): OpenDecision[] =>
  decisions.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0)));

/**
 * Adds decisions about what may run automatically. If there is already a decision about the same line in package.json, the
 * two are combined.
 */
function withAutoRun(decisions: readonly OpenDecision[], autoRun: readonly OpenDecision[]): OpenDecision[] {
  const isSame = (a: OpenDecision, b: OpenDecision): boolean =>
    a.file === 'package.json' && a.file === b.file && a.line !== undefined && a.line === b.line;
  return [
    ...decisions.map((one) => ({
      ...one,
      message: [one, ...autoRun.filter((other) => isSame(one, other))]
        .map(({ message }) => message)
        .join(' '),
    })),
    ...autoRun.filter((other) => !decisions.some((one) => isSame(one, other))),
  ];
}

const notUtf8 =
  'This file is not UTF-8, so it was copied unchanged. Save it as UTF-8 and import the integration again, or adapt it yourself.';

const leftBehind = ({ broken, outside, left }: ReadProject): OpenDecision[] => [
  ...broken.map((file) => ({ file, message: 'This symlink is broken, so it was not copied.' })),
  ...outside.map((file) => ({ file, message: 'This link points outside the folder, so it was not copied.' })),
  ...left.map((file) => ({
    file,
    message: asRead(file).endsWith('.platform')
      ? 'This folder contains the state of a session, so it was not copied.'
      : asRead(file).includes('.env')
        ? 'This file contains local values, so it was not copied.'
        : 'This is build output, so it was not copied.',
  })),
];

function findManifestIn(files: ProjectFiles, from: string): string {
  const named = [...files.keys()].filter((path) => manifestName.test(path));
  const manifests = named.length > 0 ? named : withAnotherName(files);
  const chosen = manifests.length > 1 ? manifests.filter((path) => isIntegration(files, path)) : manifests;
  const [manifest] = chosen;
  if (manifest !== undefined && chosen.length === 1) {
    const bytes = files.get(manifest)?.length ?? 0;
    if (bytes <= maxManifestBytes) return manifest;
    throw new UserError(
      'manifest-too-large',
      `${manifest} in ${from} is ${bytes} bytes. A manifest can be at most ${maxManifestBytes} bytes.`,
      'Remove everything that does not belong in the manifest.',
    );
  }
  throw new UserError(
    'no-manifest',
    `${from} contains ${manifests.length > 1 ? 'more than one' : 'no'} manifest.`,
    'It must be directly in the folder, and its name must end with -manifest.yaml. If it has another name, it must contain name, script and scopes.',
  );
}

/** Other tools also have manifests, but only the manifest of an integration contains a script. */
const isIntegration = (files: ProjectFiles, path: string): boolean =>
  /^script\s*:/m.test(textOf(files, path));

/** Early versions of other platforms did not use names ending in -manifest.yaml. */
const withAnotherName = (files: ProjectFiles): string[] =>
  [...files.keys()].filter(
    (path) =>
      /^[\w.-]+\.ya?ml$/.test(path) &&
      ['name', 'script', 'scopes'].every((key) => new RegExp(`^${key}\\s*:`, 'm').test(textOf(files, path))),
  );

function rewrite(path: string, text: string, project: Project): Rewritten | undefined {
  const { before, origin, sdkSpec, repository } = project;
  if (path === '.gitignore') return { text: withIgnored(text), notes: [] };
  if (!origin) return undefined;
  if (isSource(path)) return rewriteSource(text, origin);
  if (/(^|\/)\.eslintrc(\.json|\.ya?ml)?$/.test(path)) return { text, notes: lostRules(text, origin) };
  if (path === 'package.json')
    return rewritePackage(text, {
      origin,
      sdkSpec,
      repository,
      wanted: [...packagesImported(before, origin), ...packagesOfTypes(project, origin)],
    });
  return isTsconfig(path) ? rewriteConfig(path, text, project, origin) : undefined;
}

const isTsconfig = (path: string): boolean => /(^|\/)tsconfig[\w.-]*\.json$/.test(path);

function rewriteConfig(path: string, text: string, project: Project, origin: Origin): Rewritten {
  const { before, from, repository, inherit, packages } = project;
  const folder = posix.dirname(path);
  const config = parseTsconfig(text);
  if (!config)
    return {
      text,
      notes: [
        { message: 'This file is not valid JSON, so set jsxImportSource to integration-platform yourself.' },
      ],
    };
  const isIncluded = filesOf(folder, config.include);
  const inScope = new Map([...before].filter(([file]) => isIncluded(file)));
  return rewriteTsconfig(text, config.compilerOptions, {
    origin,
    has: (other) => before.has(posix.join(folder, other)),
    inherit: (base) => inherit(base, join(from, folder)),
    workerTypes: needsWorkerTypes(before),
    needed: neededTypes(inScope),
    fileOfBrowsers: fileOfBrowsers(inScope),
    brings: (types) => bringsTypes(types, packages, repository),
    markup: [...inScope.keys()].some((file) => file.endsWith('x')),
  });
}

/** Matches the files compiled by a tsconfig file in this folder with this `include`. */
function filesOf(folder: string, include: readonly string[] | undefined): (file: string) => boolean {
  const starts = include && [
    ...new Set(include.map((pattern) => posix.join(folder, pattern.split('*')[0] ?? ''))),
  ];
  const isAll = starts?.some((start) => start === './' || start === '.') ?? true;
  return (file) =>
    (folder === '.' || file.startsWith(`${folder}/`)) &&
    (isAll || file === 'package.json' || starts?.some((start) => file.startsWith(start)) === true);
}

const bringsTypes = (
  types: string,
  content: PackageFile | undefined,
  repository: SurroundingRepository,
): boolean => {
  const name = packageOfTypes(types, content);
  return dependsOn(content, name) || knownTypes.test(name) || repository.rangeOf(name) !== undefined;
};

const knownTypes = /^(@types\/(bun|jest|mocha|node)|bun-types|@cloudflare\/workers-types)$/;

function packagesOfTypes(project: Project, origin: Origin): WantedPackage[] {
  const { before, repository, packages: content } = project;
  const named = [...before]
    .filter(([path]) => isTsconfig(path))
    .flatMap(([path, bytes]) => {
      const { text } = rewriteConfig(path, toText(bytes), project, origin);
      const types = parseTsconfig(text)?.compilerOptions['types'] as string[] | undefined;
      return (types ?? []).filter((name) => !name.startsWith('.'));
    })
    .map((types) => packageOfTypes(types, content));
  const names = [
    ...named,
    ...neededTypes(before).map((needed) => needed.package),
    ...(needsWorkerTypes(before) ? [workers] : []),
  ];
  return [...new Set(names)]
    .filter(
      (name) => dependsOn(content, name) || knownTypes.test(name) || repository.rangeOf(name) !== undefined,
    )
    .map((name) => ({ name, kind: 'devDependencies', by: 'tsconfig.json' }));
}

/** Finds the previous platform's tools that no source imports. They are lost because their package is removed. */
const lostRules = (text: string, { scope }: Origin): { line: number; message: string }[] =>
  text.split('\n').flatMap((content, index) =>
    [...content.matchAll(/["'](@[\w.-]+\/[^"'\s]+)["']/g)]
      .filter(([, name = '']) => scope !== undefined && name.startsWith(scope))
      .map(([, name]) => ({
        line: index + 1,
        message: `This file uses the rules ${name}, which do not exist on this platform. Use other rules, or remove the file.`,
      })),
  );

function missingFiles({ from, before, sdkSpec }: Project, manifest: string): [string, string][] {
  const wanted: [string, string][] = [
    ['.gitignore', withIgnored('')],
    ['package.json', newPackage(basename(from), sdkSpec)],
  ];
  if ([...before.keys()].some((path) => /\.tsx?$/.test(path))) {
    wanted.push(['tsconfig.json', newTsconfig(needsWorkerTypes(before))]);
    const textModules = declareTextModules(before);
    if (textModules !== undefined) wanted.push(['src/text-modules.d.ts', textModules]);
  }
  const example = environmentExample(manifest);
  if (example !== undefined) wanted.push(['.env.example', example]);
  return wanted.filter(([path]) => !before.has(path));
}

/** Finds settings for the previous platform's command, and scripts that do not look like an integration. */
const ofFormerPlatform = ({ before, origin }: Project): OpenDecision[] =>
  origin
    ? [...before.keys()]
        .filter(
          (path) =>
            new RegExp(`^\\.?${origin.command}[\\w-]*\\.(ya?ml|json)$`).test(path) &&
            !manifestName.test(path),
        )
        .map((file) => ({
          file,
          message:
            "This file belongs to the previous platform's command-line tool. It has no effect on this platform.",
        }))
    : [
        {
          file: manifestFileName,
          message: 'No source file imports createIntegration, so no imports were rewritten.',
        },
      ];
