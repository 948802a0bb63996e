import type { TemplateSecret } from './template-list.js';

const without = (heading: string): string => `# ${heading}\n# "platform add secret NAME" declares one.\n`;

/** The names of the secrets, for whoever clones the project. */
export function renderEnvExample(secrets: readonly TemplateSecret[]): string {
  const heading = 'Copy this file to .env and fill in the values of the secrets.';
  if (secrets.length === 0) return without(heading);
  const lines = secrets.map(({ name, meaning }) => `# ${sentence(meaning)}\n${name}=\n`);
  return `# ${heading}\n\n${lines.join('\n')}`;
}

/** Values made for this computer alone. */
export function renderEnv(
  secrets: readonly TemplateSecret[],
  values: Readonly<Record<string, string>>,
): string {
  const heading = 'Values of the secrets on this computer. Git ignores this file.';
  if (secrets.length === 0) return without(heading);
  const lines = secrets.map(({ name, meaning }) => `# ${sentence(meaning)}\n${name}=${values[name] ?? ''}\n`);
  return `# ${heading}\n\n${lines.join('\n')}`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
