import type { JSX } from 'preact';
import type { Tone } from './tone.js';

export function Status({
  tone,
  children,
  live,
}: {
  tone: Tone;
  children: string;
  live?: boolean;
}): JSX.Element {
  return (
    <span class={`status ${tone}`} role={live ? 'status' : undefined}>
      <span class="status-dot" aria-hidden="true" />
      {children}
    </span>
  );
}

export function Chip({ children, title }: { children: string; title?: string }): JSX.Element {
  return (
    <span class="chip" title={title}>
      {children}
    </span>
  );
}
