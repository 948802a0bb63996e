import type { RenderContext } from '../../protocol/events.js';
import type { InstalledTarget } from '../../contract/resources.js';
import { api } from '../api/fetch-api.js';
import type { ComponentPlace } from '../markup/component-view.js';
import { showToast } from '../ui/toasts.js';
import { go } from '../shell/navigation.js';
import { safeLink } from '../text/safe-url.js';

interface ComponentPlaceOptions {
  place: InstalledTarget;
  /** The public endpoint there. */
  endpoint: string;
  /** Asked at each drawing. */
  context: () => RenderContext;
  /** The block that keeps the component's props. */
  block?: string;
}

/** How a component on this page reaches the script. */
export function createComponentPlace(options: ComponentPlaceOptions): ComponentPlace {
  const { place, endpoint, context, block } = options;
  const base = `${endpoint}/`;
  return {
    base,
    now: () => performance.now(),
    render: ({ component, modal, ...rest }) =>
      api('POST /render', {
        ...rest,
        ...place,
        ...(block !== undefined && !modal ? { block } : { component }),
        ...(modal && { modal }),
        context: context(),
      }),
    openUrl(url) {
      const href = safeLink(url, base);
      if (href === undefined) showToast(`This address is not opened: ${url}`, 'bad');
      else window.open(href, '_blank', 'noopener,noreferrer');
    },
    options: (url, typed) => api('GET /options', { ...place, url, q: typed || undefined }),
    showCall: (call) => go({ view: 'events', call }),
  };
}
