import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { findUp } from '../../base/node/folders-up.js';
import { relativePath } from '../../base/node/relative-path.js';
import type { InitOptions, InitWorld } from '../model/init-options.js';
import { decideProject } from './decide-project.js';
import { installDependencies } from '../tools/install-dependencies.js';
import { nextCommands } from './next-commands.js';
import type { Project } from '../model/project.js';
import type { ProjectFiles } from '../files/files-in-memory.js';
import { refuseOccupied } from '../files/refuse-occupied-folder.js';
import { renderProject } from './render-project.js';
import { startRepository } from '../tools/init-git-repository.js';
import { asUserError } from '../files/file-errors.js';
import { writeFolder } from '../files/write-folder.js';

export interface InitResult {
  folder: string;
  project: Project;
  files: ProjectFiles;
  /** Files that were not written because they only work at the root of the Git repository around this folder. */
  notWritten: { paths: string[]; repository: string } | undefined;
  /** False after a dry run. */
  written: boolean;
  next: string[];
  todo: string[];
}

/** Creates a project. Resolves to undefined if the user has canceled. */
export async function init(options: InitOptions, world: InitWorld): Promise<InitResult | undefined> {
  const decided = await decideProject(options, world);
  if (!decided) return undefined;
  const { folder, project, install } = decided;
  const shown = relativePath(world.cwd, folder) || '.';
  const rendered = renderProject(project);
  const repository = repositoryAbove(folder);
  const files = repository === undefined ? rendered : withoutRootFiles(rendered);
  refuseOccupied(folder, shown, files);
  const result = {
    folder,
    project,
    files,
    notWritten:
      repository === undefined ? undefined : { paths: [...rendered.keys()].filter(isForRoot), repository },
    written: !options.dryRun,
    next: nextCommands({ shown, project, install: install && !options.dryRun }),
    todo: openDecisions(project),
  };
  if (options.dryRun) return result;

  try {
    await writeFolder({ folder, shown, now: world.now(), execPath: world.execPath }, files);
  } catch (error) {
    throw asUserError(error, shown);
  }
  if (options.git) await startRepository(folder, world);
  if (install)
    world.note(`Created ${shown === '.' ? 'an integration here' : shown}; installing the dependencies.`);
  if (install) await installDependencies({ folder, shown, command: project.packageManager.install }, world);
  return result;
}

/** Returns the root of the Git repository around the folder, or undefined if the folder itself is a root. */
function repositoryAbove(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return undefined;
  const found = findUp(dirname(folder), '.git');
  return found && dirname(found);
}

/** Workflows and hooks only work at the root of a repository. */
const isForRoot = (path: string): boolean =>
  path.startsWith('.github/') || path === '.pre-commit-config.yaml';

const withoutRootFiles = (files: ProjectFiles): ProjectFiles =>
  new Map([...files].filter(([path]) => !isForRoot(path)));

const isOutsideArchive = (sdk: string): boolean =>
  sdk.startsWith('file:') && sdk.endsWith('.tgz') && isAbsolute(sdk.slice('file:'.length));

const openDecisions = ({ template, organization, visibility, language, sdk }: Project): string[] => [
  ...(organization === 'my-org' ? ['Set organization in platform-manifest.yaml to your own.'] : []),
  ...(isOutsideArchive(sdk)
    ? [
        `Copy ${basename(sdk)} to vendor/, install it from there, and commit it with git add --force. package.json refers to a file on this machine, so other machines and CI cannot install it. See docs/guides/ci.md of integration-platform.`,
      ]
    : []),
  ...(visibility === 'public' ? [] : ['Set visibility to public before you submit it to the marketplace.']),
  ...template.todo.map((text) => `${text}.${language}.`),
  'Write your own description and summary, replace assets/icon.png, and add externalLinks to your documentation and support page.',
];
