import { renderToString } from 'preact-render-to-string';
import { safeFrame } from '../../console/text/safe-url.js';
import { isRecord } from '../../console/markup/basics/read-markup.js';
import type { DrawPreview } from '../site-options.js';
import { drawBlock } from './render-blocks.js';

/** Draws a block on a page of its own. */
export const drawPreview: DrawPreview = ({ component, title, first, base, styles }) => {
  const frames = first.type === 'element' ? framesIn(first.element) : [];
  // Frames are loaded only once a script listens to them, and this page has no script.
  const html = drawBlock({ nth: 0, component, base, first }).html.replaceAll('<iframe', (tag) => {
    const source = safeFrame(frames.shift(), base);
    return source === undefined ? tag : `${tag} src="${encodeURI(source).replaceAll('&', '&amp;')}"`;
  });
  const page = renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <style dangerouslySetInnerHTML={{ __html: styles }} />
      </head>
      <body class="preview">
        <main>
          <h1>{title}</h1>
          <div class="site-block" dangerouslySetInnerHTML={{ __html: html }} />
        </main>
      </body>
    </html>,
  );
  return `<!doctype html>${page.replaceAll(' data-style="', ' style="')}`;
};

/** Returns the URLs of an element's frames, in the order in which they are drawn. */
const framesIn = (node: unknown): unknown[] =>
  Array.isArray(node)
    ? node.flatMap(framesIn)
    : isRecord(node)
      ? [
          ...(node.type === 'webframe' && isRecord(node.source) ? [node.source.url] : []),
          ...framesIn(node.children),
        ]
      : [];
