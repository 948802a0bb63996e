import type { JSX } from 'preact';
import { Icon } from '../../ui/icon.js';
import { safeImage } from '../../text/safe-url.js';
import { useMarkup } from '../basics/markup-context.js';
import { readNumber, readRecord, readText } from '../basics/read-markup.js';
import type { ElementProps } from './layout.js';

export function ImageElement({ element }: ElementProps): JSX.Element {
  const { base } = useMarkup();
  const source = safeImage(readRecord(element.source).url, base);
  const ratio = readNumber(element.aspectRatio);
  if (!source) {
    return (
      <div class="m-missing">
        <Icon name="image" /> Image not shown: <code>source.url</code> is not an http, https or data URL.
      </div>
    );
  }
  return (
    <img
      class="m-image"
      src={source}
      alt={readText(element.alt) ?? ''}
      loading="lazy"
      style={ratio === undefined || ratio <= 0 ? {} : { aspectRatio: String(ratio) }}
    />
  );
}
