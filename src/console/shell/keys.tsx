import type { JSX } from 'preact';

const modKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';

export function Keys({ keys }: { keys: string }): JSX.Element {
  return (
    <span class="keys">
      {keys.split(/[ +]/).map((key, index) => (
        <kbd key={index}>{key === 'mod' ? modKey : key}</kbd>
      ))}
    </span>
  );
}
