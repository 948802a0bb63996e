import type { Project } from './project.js';

interface Outlook {
  /** The new folder as the person would type it. */
  shown: string;
  project: Pick<Project, 'packageManager'>;
  /** Whether that is done already. */
  install: boolean;
}

export const nextCommands = ({ shown, project: { packageManager }, install }: Outlook): string[] => [
  ...(shown === '.' ? [] : [`cd ${shellWord(shown)}`]),
  ...(install ? [] : [packageManager.install]),
  `${packageManager.run} dev`,
];

const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
