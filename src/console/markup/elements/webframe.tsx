import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { resolveState } from '../../../protocol/markup/resolve-state.js';
import { Icon } from '../../ui/icon.js';
import { safeFrame } from '../../text/safe-url.js';
import { useMarkup } from '../basics/markup-context.js';
import { readList, readNumber, readRecord, readText } from '../basics/read-markup.js';
import { readFrameMessage, type FrameSize } from '../basics/webframe-message.js';
import type { ElementProps } from './layout.js';

const readyWithinMs = 2000;

/** A page in a frame that has no origin. It can communicate with the console only through messages. */
export function WebframeElement({ element }: ElementProps): JSX.Element {
  const { base, state, send, draw } = useMarkup();
  const frame = useRef<HTMLIFrameElement>(null);
  const [listening, setListening] = useState(false);
  const [ready, setReady] = useState(false);
  const [loaded, setLoaded] = useState<string>();
  const [silent, setSilent] = useState(false);
  const [size, setSize] = useState<FrameSize>({});
  const url = readRecord(element.source).url;
  const source = safeFrame(url, base);
  const data = JSON.stringify(resolveState(readRecord(element.data), state));
  const buttons = readList(element.buttons);

  useEffect(() => {
    const receive = (event: MessageEvent): void => {
      if (!frame.current || event.source !== frame.current.contentWindow) return;
      const message = readFrameMessage(event.data);
      if (message?.kind === 'ready') setReady(true);
      else if (message?.kind === 'resize') setSize((before) => ({ ...before, ...message.size }));
      else if (message) void send(message.action);
    };
    window.addEventListener('message', receive);
    setListening(true);
    return () => window.removeEventListener('message', receive);
  }, [send]);

  useEffect(() => setReady(false), [source]);
  useEffect(() => {
    setSilent(false);
    if (ready || loaded !== source || element.data === undefined) return undefined;
    const timer = setTimeout(() => setSilent(true), readyWithinMs);
    return () => clearTimeout(timer);
  }, [ready, loaded, source, element.data === undefined]);
  useEffect(() => {
    // The target is `*`, because the frame has no origin.
    if (ready) frame.current?.contentWindow?.postMessage({ state: JSON.parse(data) as unknown }, '*');
  }, [ready, data]);

  if (!source) {
    return (
      <div class="row dashed m-missing">
        <Icon name="globe" /> Frame not shown: <code>source.url</code> isn't an http or https URL.
      </div>
    );
  }
  const ratio = size.aspectRatio ?? readNumber(element.aspectRatio) ?? 16 / 9;
  return (
    <div class="stack tight m-webframe">
      <iframe
        ref={frame}
        key={source}
        // Otherwise, on a page rendered on the server, the frame would load and report that it is ready before anything is
        // listening.
        src={listening ? source : undefined}
        onLoad={() => listening && setLoaded(source)}
        title={readText(element.title) ?? `Embedded page from ${new URL(source).host}`}
        sandbox="allow-scripts allow-forms allow-popups"
        loading="lazy"
        referrerpolicy="no-referrer"
        allow="fullscreen"
        style={{
          aspectRatio: String(ratio > 0 ? ratio : 16 / 9),
          ...(size.maxWidth !== undefined && { maxWidth: `${size.maxWidth}px` }),
          ...(size.maxHeight !== undefined && { maxHeight: `${size.maxHeight}px` }),
        }}
      />
      {silent && (
        <p class="row dashed m-missing">
          This page has not sent <code>@webframe.ready</code>, so it has not received its data. If it loads
          scripts from another server, your browser must be able to reach that server.
        </p>
      )}
      {buttons.length > 0 && <div class="row end">{draw(buttons)}</div>}
    </div>
  );
}
