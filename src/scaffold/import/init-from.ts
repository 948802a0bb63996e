import { relative, resolve } from 'node:path';
import { UserError } from '../../base/user-error.js';
import type { InitOptions, InitWorld } from '../init/init-options.js';
import { asUserError } from '../files/file-errors.js';
import { folderQuestion, checkFlags } from '../init/ask-for-missing.js';
import { detectPackageManager } from '../tools/detect-package-manager.js';
import { installDependencies } from '../tools/install-dependencies.js';
import { moveIn, shellWord } from '../init/next-commands.js';
import { nodeModulesPath } from '../tools/node-modules-path.js';
import { packageManagers, type PackageManager } from '../tools/package-managers.js';
import { refuseOccupied } from '../files/refuse-occupied-folder.js';
import { findSdkSpec, ownPackage } from '../tools/sdk-version-to-install.js';
import { startRepository } from '../tools/init-git-repository.js';
import type { Step } from '../../terminal/progress-line.js';
import { writeFolder } from '../files/write-folder.js';
import { importProject, type ImportedProject } from './import-project.js';
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
  /** Commands to run next. */
  next: string[];
  /** The command that checks the project's types, and its result if it ran. */
  types: { command: string; passed?: boolean } | undefined;
}

/**
 * Copies an integration from another platform, and leaves the original unchanged. Returns `undefined` if the
 * user canceled.
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
      'Missing: <folder>, the folder for the new copy.',
      `For example: platform init my-integration --from ${shellWord(options.from)}`,
    );
  }
  const target = resolve(cwd, folder);
  const shown = relative(cwd, target) || '.';
  const source = resolve(cwd, options.from);
  const sdkSpec = options.sdk ?? findSdkSpec(ownPackage, target);
  const { step } = world;
  const packageManager =
    packageManagers[options.packageManager ?? detectPackageManager({ folder: source, env })];
  const nodeModules = nodeModulesPath(target, packageManager);
  const imported = await importProject(source, { sdkSpec, choices: choicesIn(options), nodeModules, step });
  refuseOccupied(target, shown, imported.files);
  world.show(imported);

  const install = options.install === true && !options.dryRun;
  const types = imported.typeCheck && { command: typeCheckCommand(imported.typeCheck, packageManager) };
  const next = [
    ...moveIn({ shown, packageManager, install }),
    ...imported.generating.map((script) => `${packageManager.run} ${shellWord(script)}`),
    ...(types && (!install || imported.generating.length > 0) ? [types.command] : []),
    `${packageManager.exec} platform dev`,
  ];
  const result = { ...imported, folder: target, written: false, next, types };
  if (options.dryRun) return result;
  const answer = asking ? await ask([confirmQuestion(shown)]) : { write: true };
  if (answer?.['write'] !== true) return answer && result;
  try {
    const destination = { folder: target, shown, now: world.now(), execPath: world.execPath, step };
    await writeFolder(destination, imported.files);
  } catch (error) {
    throw asUserError(error, shown);
  }
  if (options.git) await startRepository(target, world);
  if (!install) return { ...result, written: true };
  await installDependencies({ folder: target, shown, project: { packageManager } }, world);
  // Generated files that do not exist yet would only cause more errors.
  const checked = types && imported.generating.length === 0 ? await checkTypes(types, target, world) : types;
  return { ...result, written: true, types: checked };
}

const typeCheckCommand = (
  { script }: { script: string | undefined },
  { run, exec }: PackageManager,
): string => (script === undefined ? `${exec} tsc --noEmit` : `${run} ${script}`);

async function checkTypes(
  { command }: { command: string },
  cwd: string,
  { run }: Pick<InitFromWorld, 'run'>,
) {
  try {
    await run(command, { cwd });
    return { command, passed: true };
  } catch {
    return { command, passed: false };
  }
}

/** These options describe a new project, but the imported one already exists. */
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
  ({
    name: 'write',
    message: `Write it into ${shown}?`,
    type: 'confirm',
    initial: true,
  }) as const;
