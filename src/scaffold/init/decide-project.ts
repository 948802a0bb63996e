import { basename, resolve } from 'node:path';
import { nearest } from '../../base/did-you-mean.js';
import { UserError } from '../../base/user-error.js';
import type { InitOptions, InitWorld } from '../model/init-options.js';
import { askForMissing, checkFlags } from './ask-for-missing.js';
import { toName, toTitle } from './check-answers.js';
import { detectPackageManager } from '../../base/node/detect-package-manager.js';
import { nodeModulesPath } from '../tools/node-modules-path.js';
import { packageManagers } from '../model/package-managers.js';
import type { Project } from '../model/project.js';
import { findSdkSpec, ownPackage } from '../tools/sdk-version-to-install.js';
import { templates, type Template, type TemplateSecret } from '../model/template-list.js';

export interface Decided {
  folder: string;
  project: Project;
  install: boolean;
}

type World = Pick<InitWorld, 'cwd' | 'env' | 'interactive' | 'ask' | 'random'>;

export async function decideProject(options: InitOptions, world: World): Promise<Decided | undefined> {
  if (options.template !== undefined) findTemplate(options.template);
  checkFlags(options);
  const answers = await askForMissing(options, world);
  if (!answers) return undefined;

  const template = findTemplate(answers.template);
  const folder = resolve(world.cwd, answers.folder);
  const name = answers.name ?? toName(basename(folder));
  const language = options.language ?? 'ts';
  const packageManager =
    packageManagers[options.packageManager ?? detectPackageManager({ folder, env: world.env })];
  const project: Project = {
    template,
    name,
    title: answers.title ?? toTitle(name),
    description: options.description ?? template.description,
    organization: answers.organization,
    visibility: answers.visibility ?? 'private',
    scopes: options.scopes ?? template.scopes,
    language,
    packageManager,
    nodeModules: nodeModulesPath(folder, packageManager),
    sdk: options.sdk ?? findSdkSpec(ownPackage, folder),
    secretValues: generateSecretValues(template.secrets, world.random),
  };
  return { folder, project, install: answers.install ?? false };
}

function findTemplate(name: string): Template {
  const names = templates.map((template) => template.name);
  const found = templates.find((template) => template.name === name);
  if (found) return found;
  const close = nearest(name, names);
  throw new UserError(
    'unknown-template',
    `Unknown template: "${name}".`,
    close ? `Did you mean ${close}?` : `The templates are ${names.join(', ')}.`,
  );
}

/** Generates random values that work locally, because the local platform also acts as the other service. */
function generateSecretValues(
  secrets: readonly TemplateSecret[],
  random: (bytes: number) => Uint8Array,
): Record<string, string> {
  const hex = (): string => Array.from(random(16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return Object.fromEntries(secrets.map(({ name, prefix }) => [name, `${prefix}${hex()}`]));
}
