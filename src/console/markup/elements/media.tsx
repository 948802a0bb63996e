import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { showControls } from '../../text/show-controls.js';
import { Icon } from '../../ui/icon.js';
import { safeImage } from '../../text/safe-url.js';
import { useMarkup } from '../basics/markup-context.js';
import { readNumber, readRecord, readText } from '../basics/read-markup.js';
import type { ElementProps } from './layout.js';

export function ImageElement({ element }: ElementProps): JSX.Element {
  const { base } = useMarkup();
  const source = safeImage(readRecord(element.source).url, base);
  const ratio = readNumber(element.aspectRatio);
  const [missing, setMissing] = useState<string>();
  if (!source) {
    return (
      <div class="row dashed m-missing">
        <Icon name="image" /> Image not shown: <code>source.url</code> isn't an http, https or data URL.
      </div>
    );
  }
  if (missing === source) {
    return (
      <div class="row dashed m-missing" role="img" aria-label={readText(element.alt) ?? 'Image'}>
        <Icon name="image" /> Image not found: <code class="wrap-anywhere">{showControls(source)}</code>
      </div>
    );
  }
  return (
    <img
      class="m-image"
      src={source}
      alt={readText(element.alt) ?? ''}
      loading="lazy"
      onError={() => setMissing(source)}
      style={ratio === undefined || ratio <= 0 ? {} : { aspectRatio: String(ratio) }}
    />
  );
}
