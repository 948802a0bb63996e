import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { imageUrl } from '../state/image-url.js';
import type { PlatformResource } from '../../../contract/routes/overview.js';

/** The icon in the manifest, or the first letter of the title. */
export function IntegrationIcon(props: {
  integration: PlatformResource['integration'];
  size: number;
}): JSX.Element {
  const { integration, size } = props;
  const [failed, setFailed] = useState<string>();
  const { icon, title } = integration;
  const style = { width: `${size}px`, height: `${size}px`, fontSize: `${size * 0.46}px` };
  if (icon === undefined || failed === icon) {
    return (
      <span class="tile integration-icon" style={style} aria-hidden="true">
        {initialOf(title)}
      </span>
    );
  }
  return (
    <img
      class="tile integration-icon"
      style={style}
      src={imageUrl('icon', { of: icon })}
      alt=""
      onError={() => setFailed(icon)}
    />
  );
}

const initialOf = (title: string): string => String.fromCodePoint(title.codePointAt(0) ?? 0x3f).toUpperCase();
