import type { JSX } from 'preact';
import { showControls } from './show-controls.js';

/** A URL that wraps between its parts, not within a word. */
export const BreakableUrl = ({ url }: { url: string }): JSX.Element => (
  <>
    {showControls(url)
      .split(/(?<=[^/:]\/)|(?=[?&])/)
      .map((part, index) => (
        <>
          {index > 0 && <wbr />}
          {part}
        </>
      ))}
  </>
);
