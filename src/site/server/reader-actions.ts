import { HttpError, invalid } from '../../emulator/http/http-error.js';
import type { PageView } from '../../protocol/event-parts.js';
import { pageRatings } from '../../protocol/page-ratings.js';
import type { SiteOptions } from '../site-options.js';
import type { SitePages } from './site-pages.js';

/** A reader's actions on a page, sent as platform events. */
export interface ReaderActions {
  view(body: Record<string, unknown>, headers: Headers): Promise<void>;
  rate(body: Record<string, unknown>, headers: Headers): Promise<void>;
}

const mostEachSecond = 20;

export function createReaderActions({
  origin,
  platform,
  timers,
  pages,
}: SiteOptions & { pages: SitePages }): ReaderActions {
  /** The times of the events sent during the last second. */
  let recent: number[] = [];
  const count = (): void => {
    const now = timers.monotonic();
    recent = recent.filter((time) => time > now - 1000);
    if (recent.length >= mostEachSecond)
      throw new HttpError(
        429,
        'too-many-events',
        `The site sends at most ${mostEachSecond} events a second.`,
      );
    recent.push(now);
  };

  /** Uses the URL and visitor known to the platform. The browser may choose nothing but its own id. */
  const viewOf = (url: string, body: Record<string, unknown>, headers: Headers): PageView => {
    const { visitor, referrer } = body;
    if (typeof visitor !== 'string' || !/^[\w-]{8,64}$/.test(visitor))
      throw invalid('The visitor id must be 8 to 64 letters, digits, _ or -.', { path: 'visitor' });
    return {
      visitor: {
        anonymousId: visitor,
        userAgent: headers.get('user-agent') ?? '',
        ip: '127.0.0.1',
        cookies: {},
      },
      url,
      referrer: typeof referrer === 'string' && referrer.startsWith(`${origin}/`) ? referrer : '',
    };
  };

  return {
    async view(body, headers) {
      count();
      const { space, page, url } = pages.find(body['space'], body['page']);
      await platform.readers.view(space, page.id, viewOf(url, body, headers));
    },
    async rate(body, headers) {
      count();
      const { space, page, url } = pages.find(body['space'], body['page']);
      const { rating, comment = '' } = body;
      if (typeof rating !== 'string' || !(pageRatings as readonly string[]).includes(rating))
        throw invalid(`The rating must be one of ${pageRatings.join(', ')}.`, { path: 'rating' });
      if (typeof comment !== 'string' || comment.length > 2000)
        throw invalid('The comment must be a string of at most 2000 characters.', { path: 'comment' });
      if (!space.site) throw new HttpError(409, 'no-site', 'Pages can be rated only on a site.');
      await platform.readers.rate(space, page.id, viewOf(url, body, headers), { rating, comment });
    },
  };
}
