import type { RenderContext } from '../../protocol/events.js';
import type { InstalledTarget } from '../../contract/basics/resources.js';
import { api } from '../api/fetch-api.js';
import type { ComponentHost } from '../markup/component-view.js';
import { showToast } from '../ui/toasts.js';
import { go } from '../shell/navigation.js';
import { safeLink } from '../text/safe-url.js';

interface ComponentHostOptions {
  target: InstalledTarget;
  endpoint: string;
  context: () => RenderContext;
  block?: string;
  /** Whether the first render only displays a block that already exists. */
  display?: boolean;
}

export function createComponentHost(options: ComponentHostOptions): ComponentHost {
  const { target, endpoint, context, block } = options;
  const base = `${endpoint}/`;
  let { display = false } = options;
  return {
    base,
    now: () => performance.timeOrigin + performance.now(),
    render({ component, modal, ...rest }) {
      const shown = display && !rest.action;
      display = false;
      return api('POST /render', {
        ...rest,
        ...(shown && { display: true }),
        ...target,
        ...(block !== undefined && !modal ? { block } : { component }),
        ...(modal && { modal }),
        context: context(),
      });
    },
    openUrl(url) {
      const href = safeLink(url, base);
      if (href === undefined)
        showToast(
          `The link wasn't opened because only http, https and mailto URLs are allowed: ${url}`,
          'bad',
        );
      else window.open(href, '_blank', 'noopener,noreferrer');
    },
    options: (url, typed) => api('GET /options', { ...target, url, q: typed || undefined }),
    showCall: (call) => go({ view: 'calls', call }),
  };
}
