import type { PlatformBase } from '../state/platform-base.js';
import { isoTime, type Clock } from '../../base/clock.js';
import type { SiteResource, SpaceResource } from '../../contract/routes/overview.js';
import type { Organization, Site, Space, Visibility } from '../../protocol/workspace.js';
import type { Addresses } from '../http/addresses.js';
import { notFound } from '../http/http-error.js';
import { pathOfSpace } from './space-paths.js';
import { createCollection } from '../state/installation-records.js';
import type { Registry } from '../state/registry.js';
import type { Content } from '../../content/index.js';
import { showFolder, showSample, type SpaceContent } from './space-content.js';

interface SpaceRecord {
  revision?: string;
  /** When the current revision was created. */
  revisedAt?: number;
  visibility?: Visibility;
}

/** The spaces and sites in the workspace, and the changes to them. */
export type Spaces = ReturnType<typeof createSpaces>;

export function createSpaces(
  deps: Pick<PlatformBase, 'registry' | 'addresses' | 'state' | 'feed'> & {
    clock: Pick<Clock, 'now'>;
    /** The folders mounted as spaces, keyed by space id. */
    contents: ReadonlyMap<string, Content>;
  },
) {
  const { registry, addresses, state, clock, contents, feed } = deps;
  const started = clock.now();
  const records = createCollection<SpaceRecord>(state, 'spaces');
  const schemas = createCollection<object>(state, 'adaptive-schemas');
  const change = (id: string, values: SpaceRecord): void =>
    records.put(id, { ...records.get(id), ...values });
  const published = (id: string): string => `${addresses.site}${pathOfSpace(registry.workspace, id)}`;
  const appOf = (id: string): string => `${addresses.console}/spaces/${id}`;
  const visibilityOf = ({ id, visibility }: Space): Visibility => records.get(id)?.visibility ?? visibility;
  const urlsOf = (space: Space): SpaceResource['urls'] => ({
    app: appOf(space.id),
    published: published(space.id),
    ...(visibilityOf(space) !== 'private' && { public: published(space.id) }),
  });
  const contentOf = (id: string): SpaceContent => {
    const urls = urlsOf(findSpace(registry, id));
    const mounted = contents.get(id);
    if (mounted) return showFolder(id, mounted, urls);
    return showSample(id, urls, () => {
      const { revision = `${id}_revision_1`, revisedAt = started } = records.get(id) ?? {};
      return { id: revision, createdAt: revisedAt };
    });
  };

  return {
    organization(id: string) {
      const { title } = findOrganization(registry, id);
      return { object: 'organization', id, title, urls: { app: addresses.console } };
    },
    space(id: string): SpaceResource {
      const space = findSpace(registry, id);
      const { title, organization, emoji } = space;
      const revision = contentOf(id).revision();
      return {
        object: 'space',
        id,
        title,
        organization,
        ...(emoji !== undefined && { emoji }),
        visibility: visibilityOf(space),
        revision: revision.id,
        createdAt: isoTime(started),
        updatedAt: isoTime(revision.createdAt),
        urls: { ...urlsOf(space), app: `${appOf(id)}/` },
      };
    },
    /** Returns the pages, revisions and files of the space. */
    content: contentOf,
    /** Returns the space at a URL and the rest of the URL's path. */
    at(url: string) {
      const asked = `${ofThisStart(addresses, url).replace(/[?#].*/s, '')}/`;
      const [found] = registry.workspace.spaces
        .flatMap(({ id }) => [`${appOf(id)}/`, published(id)].map((address) => ({ id, address })))
        .filter(({ address }) => asked.startsWith(address))
        // Checks the longest URLs first, because the first space is at the root of the site, above all others.
        .sort((one, other) => other.address.length - one.address.length);
      if (!found) return undefined;
      const path = asked.slice(found.address.length).replace(/^~[/]revisions[/][^/]+[/]/, '');
      return { space: found.id, path: decode(path) };
    },
    site(organization: string, id: string): SiteResource {
      const site = findSite(registry, organization, id);
      const [first] = site.spaces;
      const urls = {
        app: `${addresses.console}/sites/${id}`,
        published: first === undefined ? `${addresses.site}/` : published(first),
      };
      return { object: 'site', ...site, adaptiveContent: { enabled: true }, urls };
    },
    /** Returns the visitor claims schema that the integration set for this site. */
    adaptiveSchema(organization: string, id: string) {
      const schema = schemas.get(findSite(registry, organization, id).id);
      if (!schema) throw notFound(`The site ${id} has no adaptive schema.`);
      return schema;
    },
    adapt: (organization: string, id: string, schema: object) =>
      schemas.put(findSite(registry, organization, id).id, schema),
    /** Returns the revision that an event may refer to, or undefined if it may refer to any revision. */
    nextRevision: (id: string) => contents.get(id)?.revision().id,
    revise: (id: string, revision: string) => change(id, { revision, revisedAt: clock.now() }),
    setVisibility(id: string, visibility: string) {
      change(id, { visibility: visibility as Visibility });
      feed.emitToConsole({ type: 'content', space: id });
    },
  };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A script may have stored a URL in an earlier session, when the console had a different port. */
const ofThisStart = ({ console }: Addresses, url: string): string =>
  url.replace(/^http:[/][/]127[.]0[.]0[.]1:\d+[/]console(?=[/])/, console);

function findOrganization({ workspace }: Registry, id: string): Organization {
  const found = workspace.organizations.find((one) => one.id === id);
  if (!found) throw notFound(`Unknown organization: ${id}.`);
  return found;
}

function findSite({ workspace }: Registry, organization: string, id: string): Site {
  const site = workspace.sites.find((one) => one.id === id);
  if (site?.organization !== organization) throw notFound(`Unknown site: ${id} in ${organization}.`);
  return site;
}

function findSpace({ workspace }: Registry, id: string): Space {
  const space = workspace.spaces.find((one) => one.id === id);
  if (!space) throw notFound(`Unknown space: ${id}.`);
  return space;
}
