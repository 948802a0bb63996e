import { Fragment, type JSX } from 'preact';
import { showControls } from './show-controls.js';

/** Text with a URL. Long URLs wrap before a slash or a parameter instead of in the middle of a word. */
export const Breakable = ({ text }: { text: string }): JSX.Element => (
  <>
    {showControls(text)
      .split(/(?<=[^/:])(?=[/?&#])/)
      .map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
  </>
);
