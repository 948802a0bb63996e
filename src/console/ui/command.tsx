import type { JSX } from 'preact';
import { CopyButton } from './copy-button.js';

/**
 * A command for the terminal, with a button that copies it. `npx` finds the command in the project, where it is usually
 * installed.
 */
export function Command({ text }: { text: string }): JSX.Element {
  const command = text.startsWith('platform ') ? `npx ${text}` : text;
  return (
    <span class="bar well command">
      <code class="grow wrap-anywhere">{command}</code>
      <CopyButton text={command} label={`Copy: ${command}`} />
    </span>
  );
}
