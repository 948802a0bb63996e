import type { PageRating, PageView } from '../../protocol/event-parts.js';
import type { PageBlockOf } from '../../protocol/page/page-blocks.js';
import type { PlatformEvent } from '../../protocol/events.js';
import { callOfEvent, newId } from '../state/new-id.js';
import { encodePath, pathOfSpace } from './space-paths.js';
import type { PlatformBase } from '../state/platform-base.js';
import type { InstallTarget } from '../state/script-environments.js';
import type { EventSender } from '../calls/event-sender.js';

/** A space whose pages readers can see, and its path on the site. */
export interface ReaderSpace {
  id: string;
  title: string;
  /** `/` for the first space of the first site, and `/<space>/` for all others. */
  path: string;
  /** The site that publishes the space. */
  site?: { id: string; title: string };
  /**
   * The target for the blocks in the space: the first installation in the space, or one on its site if the space has none.
   */
  target?: { installation: string; space?: string; site?: string };
}

/** Returns the request that renders a block on a page for the first time. */
export const blockRequest = (
  { id, site, target }: ReaderSpace,
  { component, props }: Pick<PageBlockOf, 'component' | 'props'>,
) => ({
  component,
  props,
  ...target,
  context: {
    type: 'document' as const,
    theme: 'light' as const,
    editable: false,
    spaceId: id,
    ...(site && { siteId: site.id }),
  },
});

/** What readers can see and do. Each event is sent to every installation in the space or on the site. */
export type Readers = ReturnType<typeof createReaders>;

type ReaderEvent = Extract<PlatformEvent, { type: 'space_view' | 'site_view' | 'page_feedback' }>;
type WithoutIds<Event> = Event extends ReaderEvent ? Omit<Event, 'eventId' | 'installationId'> : never;

export function createReaders(deps: Pick<PlatformBase, 'registry' | 'addresses'> & { events: EventSender }) {
  const { registry, addresses, events } = deps;
  /** The event types whose missing scope has already been reported for the current build. */
  let reported = { version: 0, types: new Set<string>() };

  const isQuiet = (type: string): boolean => {
    const { version } = registry.record();
    if (reported.version !== version) reported = { version, types: new Set() };
    if (reported.types.has(type)) return true;
    reported.types.add(type);
    return false;
  };

  /** Returns the installations that receive an event in a space or on its site. */
  const targetsOf = (
    space: string,
    site: string | undefined,
  ): Required<Pick<InstallTarget, 'installation'>>[] =>
    registry.installations.all().flatMap(({ id: installation, paused }) => {
      const inSpace = registry.placement(installation, 'space', space) !== undefined;
      const onSite = site !== undefined && registry.placement(installation, 'site', site) !== undefined;
      // Installations in the site's space also receive the site's events.
      if (paused || (!inSpace && !onSite)) return [];
      return [{ installation, ...(inSpace && { space }), ...(onSite && { site }) }];
    });

  const send = async (event: WithoutIds<ReaderEvent>, space: string, site?: string): Promise<void> => {
    const quiet = isQuiet(event.type);
    const targets = targetsOf(space, site).filter(
      (target) => event.type !== 'space_view' || 'space' in target,
    );
    await Promise.all(
      targets.map(async (target) => {
        const { installation } = target;
        const cookies = { ...registry.workspace.visitor?.cookies, ...event.visitor.cookies };
        const visitor = { ...event.visitor, cookies };
        const whole: ReaderEvent = { eventId: newId('evt'), ...event, visitor, installationId: installation };
        await events.fireAndForward(whole, target, { id: callOfEvent(whole.eventId), quiet });
      }),
    );
  };

  let connected = 0;

  return {
    /** Must be called when a page in a browser connects to the site's stream. */
    connect: () => void (connected += 1),
    /** The number of pages that have connected since the platform started. */
    connected: () => connected,
    /** Returns the URL where visitor authentication starts, or undefined if the scope is missing or there is no site. */
    signInUrl({ site, target }: ReaderSpace, location: string) {
      const { name, scopes } = registry.integration();
      if (!site || !target || !scopes.includes('site:visitor:auth')) return undefined;
      const below = `installations/${target.installation}/sites/${site.id}/visitor-auth`;
      return `${addresses.content(name)}/${below}?${new URLSearchParams({ location })}`;
    },
    /** The URL of the console's list of calls. A call's id can be added to it. */
    calls: `${addresses.console}/calls/`,
    urlOf: ({ path }: Pick<ReaderSpace, 'path'>, page: string) =>
      `${addresses.site}${path}${encodePath(page)}`,
    spaces() {
      const { sites, spaces } = registry.workspace;
      const installations = registry.installations.all();
      return spaces
        .map(({ id, title }): ReaderSpace => {
          const site = sites.find((one) => one.spaces.includes(id));
          const inSpace = installations.find((one) => registry.placement(one.id, 'space', id));
          const onSite = site && installations.find((one) => registry.placement(one.id, 'site', site.id));
          const target = inSpace
            ? { installation: inSpace.id, space: id }
            : onSite && { installation: onSite.id, site: site.id };
          return {
            id,
            title,
            path: pathOfSpace(registry.workspace, id),
            ...(site && { site: { id: site.id, title: site.title } }),
            ...(target && { target }),
          };
        })
        .sort((one, other) => Number(other.path === '/') - Number(one.path === '/'));
    },
    async view({ id, site }: ReaderSpace, pageId: string, view: PageView) {
      await Promise.all([
        send({ type: 'space_view', spaceId: id, pageId, ...view }, id),
        site && send({ type: 'site_view', siteId: site.id, ...view }, id, site.id),
      ]);
    },
    async rate({ id, site }: ReaderSpace, pageId: string, view: PageView, feedback: PageRating) {
      if (!site) return;
      await send(
        { type: 'page_feedback', siteId: site.id, spaceId: id, pageId, ...view, feedback },
        id,
        site.id,
      );
    },
  };
}
