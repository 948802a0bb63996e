import type { JSX } from 'preact';
import { CopyButton } from './copy-button.js';

/** A command for the terminal, with a button that copies it. */
export const Command = ({ text }: { text: string }): JSX.Element => (
  <span class="command">
    <code class="grow wrap-anywhere">{text}</code>
    <CopyButton text={text} label={`Copy: ${text}`} />
  </span>
);
