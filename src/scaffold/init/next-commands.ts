import { shellWord } from '../../base/text/curl-command.js';
import type { PackageManager } from '../model/package-managers.js';
import type { Project } from '../model/project.js';

interface Arrival {
  shown: string;
  packageManager: PackageManager;
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
