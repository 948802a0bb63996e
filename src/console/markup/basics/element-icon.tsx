import type { JSX } from 'preact';
import { iconFor } from '../../ui/icon-paths.js';
import { Icon } from '../../ui/icon.js';
import { safeImage } from '../../text/safe-url.js';
import { useMarkup } from './markup-context.js';
import { isRecord, readRecord, readText } from './read-markup.js';

/** Shows the icon for a name, a URL or an `image` element. If the name is unknown, shows its first letter. */
export function ElementIcon({ icon, size = 16 }: { icon: unknown; size?: number }): JSX.Element | null {
  const { base } = useMarkup();
  const name = isRecord(icon) ? readText(readRecord(icon.source).url) : readText(icon);
  if (!name) return null;
  const drawn = iconFor(name);
  if (drawn) return <Icon name={drawn} size={size} />;
  const source = /[:/.]/.test(name) ? safeImage(name, base) : undefined;
  if (source) return <img class="m-icon" src={source} alt="" width={size} height={size} />;
  return (
    <span class="m-letter" aria-hidden="true" title={name}>
      {name.slice(0, 1).toUpperCase()}
    </span>
  );
}
