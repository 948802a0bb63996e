import type { PackageManager } from '../model/package-managers.js';
import type { Project } from '../model/project.js';

interface Arrival {
  /** The new folder as the user would type it. */
  shown: string;
  packageManager: PackageManager;
  /** Whether the dependencies are already installed. */
  install: boolean;
}

export const moveIn = ({ shown, packageManager, install }: Arrival): string[] => [
  ...(shown === '.' ? [] : [`cd ${shellWord(shown)}`]),
  ...(install ? [] : [packageManager.install]),
];

interface Outlook extends Pick<Arrival, 'shown' | 'install'> {
  project: Pick<Project, 'packageManager'>;
}

export const nextCommands = ({ shown, project: { packageManager }, install }: Outlook): string[] => [
  ...moveIn({ shown, packageManager, install }),
  `${packageManager.run} dev`,
];

export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
