import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { relativePath } from '../../base/node/relative-path.js';
import { shellWord } from '../../base/text/curl-command.js';
import { UserError } from '../../base/user-error.js';
import type { InitOptions, InitWorld } from '../model/init-options.js';
import { asUserError } from '../files/file-errors.js';
import { folderQuestion, checkFlags } from '../init/ask-for-missing.js';
import { detectPackageManager } from '../../base/node/detect-package-manager.js';
import { installDependencies } from '../tools/install-dependencies.js';
import { moveIn } from '../init/next-commands.js';
import { nodeModulesPath } from '../tools/node-modules-path.js';
import { packageManagers, type PackageManager } from '../model/package-managers.js';
import { refuseOccupied } from '../files/refuse-occupied-folder.js';
import { findSdkSpec, ownPackage } from '../tools/sdk-version-to-install.js';
import { startRepository } from '../tools/init-git-repository.js';
import type { Step } from '../../terminal/progress-line.js';
import { writeFolder } from '../files/write-folder.js';
import { importProject, type ImportedProject } from './import-project.js';
import { foldersAround } from './model/surrounding-repository.js';
import type { ManifestChoices } from './manifest/rewrite-manifest.js';

export interface InitFromOptions extends InitOptions {
  from: string;
}

export interface InitFromWorld extends Omit<InitWorld, 'random'> {
  step: Step;
  /** Called before anything is written. */
  show(imported: ImportedProject): void;
}

export interface InitFromResult extends ImportedProject {
  folder: string;
  written: boolean;
  next: string[];
  /** The command that checks the project's types, and its result if it was run. */
  types: { command: string; passed?: boolean } | undefined;
}

/**
 * Copies an integration from another platform without changing the original. Resolves to undefined if the user has canceled.
 */
export async function initFrom(
  options: InitFromOptions,
  world: InitFromWorld,
): Promise<InitFromResult | undefined> {
  const { cwd, env, interactive, ask } = world;
  refuseForeignFlags(options);
  checkFlags(options);
  const asking = interactive && !options.yes;
  const folder = options.folder ?? (asking ? await askForFolder(world) : undefined);
  if (folder === undefined && asking) return undefined;
  if (folder === undefined) {
    throw new UserError(
      'missing-input',
      'Missing argument <folder>: the folder for the new copy.',
      `For example: platform init my-integration --from ${shellWord(options.from)}`,
    );
  }
  const target = resolve(cwd, folder);
  const shown = relativePath(cwd, target) || '.';
  const source = resolve(cwd, options.from);
  const sdkSpec = options.sdk ?? findSdkSpec(ownPackage, target);
  const { step } = world;
  const packageManager =
    packageManagers[options.packageManager ?? detectPackageManager({ folder: source, env })];
  const nodeModules = nodeModulesPath(target, packageManager);
  const imported = await importProject(source, { sdkSpec, choices: choicesIn(options), nodeModules, step });
  refuseOccupied(target, shown, imported.files);
  world.show(imported);

  const wanted = options.install === true && !options.dryRun;
  const installing = planInstallation(imported.unsafe, packageManager);
  const install = wanted ? installing.command : undefined;
  const types = imported.typeCheck && { command: typeCheckCommand(imported.typeCheck, packageManager) };
  // If generated files are missing, a check would only show more errors.
  const checking = isToBeChecked(imported, install);
  const nextAfter = (isChecked: boolean): string[] => [
    ...moveIn({ shown, packageManager, install: install !== undefined }),
    ...(install === undefined ? [] : (installing.later ?? [])),
    ...imported.generating.map((script) => `${packageManager.run} ${shellWord(script)}`),
    ...(types && !isChecked ? [types.command] : []),
    `${packageManager.exec} platform dev`,
  ];
  const result = { ...imported, folder: target, written: false, next: nextAfter(checking), types };
  if (options.dryRun) return result;
  const answer = asking ? await ask([confirmQuestion(shown)]) : { write: true };
  if (answer?.['write'] !== true) return answer && result;
  try {
    const destination = {
      folder: target,
      shown,
      now: world.now(),
      execPath: world.execPath,
      step,
      modes: imported.modes,
    };
    await writeFolder(destination, imported.files);
  } catch (error) {
    throw asUserError(error, shown);
  }
  if (options.git) await startRepository(target, world);
  if (!wanted) return { ...result, written: true };
  const passed = await installAndCheck({ target, shown, installing, checking }, world);
  const checked = types && { ...types, ...(passed !== undefined && { passed }) };
  return { ...result, written: true, types: checked, next: nextAfter(passed !== undefined) };
}

const isToBeChecked = (
  { unsafe, generating, typeCheck }: ImportedProject,
  install: string | undefined,
): boolean =>
  install !== undefined && unsafe === undefined && generating.length === 0 && typeCheck !== undefined;

interface Installation {
  target: string;
  shown: string;
  installing: InstallationPlan;
  /** Whether to check the types afterwards. */
  checking: boolean;
}

async function installAndCheck(
  { target, shown, installing: { command, note }, checking }: Installation,
  world: Pick<InitFromWorld, 'run' | 'note'>,
): Promise<boolean | undefined> {
  if (note !== undefined) world.note(note);
  if (command === undefined) return undefined;
  await installDependencies({ folder: target, shown, command }, world);
  return checking ? checkTypes(target, world) : undefined;
}

interface InstallationPlan {
  /** Absent if nothing should be installed yet. */
  command: string | undefined;
  /** Commands that run what the installation skipped. */
  later?: string[];
  note?: string;
}

function planInstallation(
  unsafe: ImportedProject['unsafe'],
  { install, withoutScripts, name }: PackageManager,
): InstallationPlan {
  if (unsafe === undefined) return { command: install };
  if (unsafe === 'scripts' && withoutScripts) {
    const later = withoutScripts.runScripts;
    return {
      command: withoutScripts.install,
      later,
      note: `Installing with --ignore-scripts, because some of the decisions left to make affect what runs during installation. Make them, then run ${later.map((command) => `"${command}"`).join(' and ')}.`,
    };
  }
  return {
    command: undefined,
    note:
      unsafe === 'scripts'
        ? `Nothing was installed, because some of the decisions left to make affect what ${name} runs during installation. Make them, then run "${install}".`
        : `Nothing was installed, because some of the decisions left to make are about settings that can make ${name} run programs. Make them, then run "${install}".`,
  };
}

const typeCheckCommand = (
  { script }: { script: string | undefined },
  { run, execInstalled }: PackageManager,
): string => (script === undefined ? `${execInstalled} tsc --noEmit` : `${run} ${script}`);

/**
 * Checks types with the TypeScript version installed for the project or its workspace, never with a project script. Returns
 * undefined if TypeScript is not installed.
 */
async function checkTypes(
  cwd: string,
  { run, note }: Pick<InitFromWorld, 'run' | 'note'>,
): Promise<boolean | undefined> {
  const found = foldersAround(cwd)
    .map((folder) => join(folder, 'node_modules/.bin/tsc'))
    .find((file) => existsSync(file));
  if (found === undefined) {
    note("The types weren't checked, because TypeScript isn't installed.");
    return undefined;
  }
  try {
    await run(`${relativePath(realpathSync(cwd), found)} --noEmit`, { cwd });
    return true;
  } catch {
    return false;
  }
}

/** These options describe a new project, but an imported project already exists. */
function refuseForeignFlags(options: InitFromOptions): void {
  const foreign = (['template', 'language', 'scopes'] as const).filter((key) => options[key] !== undefined);
  if (foreign.length === 0) return;
  const flags = foreign.map((key) => `--${key}`).join(' and ');
  throw new UserError(
    'wrong-usage',
    `--from cannot be combined with ${flags}, because the integration already has its own.`,
    `Remove ${flags}.`,
  );
}

const chosen = ['name', 'title', 'description', 'organization', 'visibility'] as const;

const choicesIn = (options: InitFromOptions): ManifestChoices =>
  Object.fromEntries(chosen.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]])));

const askForFolder = async ({ cwd, ask }: InitFromWorld): Promise<string | undefined> => {
  const answer = (await ask([folderQuestion(cwd, 'my-integration')]))?.['folder'];
  return typeof answer === 'string' ? answer : undefined;
};

const confirmQuestion = (shown: string) =>
  ({ name: 'write', message: `Create it in ${shown}?`, type: 'confirm', initial: true }) as const;
