import { isoTime, type Clock } from '../../base/clock.js';
import type { SiteResource, SpaceResource } from '../../contract/routes/overview.js';
import type { Organization, Site, Space, Visibility } from '../../protocol/workspace.js';
import type { StateStore } from '../../store/state/state-store.js';
import type { Addresses } from '../http/addresses.js';
import { notFound } from '../http/http-error.js';
import { createCollection } from './installation-records.js';
import type { Registry } from './registry.js';
import type { Content } from '../../content/index.js';
import { showFolder, showSample, type SpaceContent } from './space-content.js';

interface SpaceRecord {
  revision?: string;
  /** When the current revision was created. */
  revisedAt?: number;
  visibility?: Visibility;
}

/** The spaces and sites of the workspace, and their changes. */
export interface Spaces {
  organization(id: string): object;
  space(id: string): SpaceResource;
  /** Its pages, revisions and files. */
  content(space: string): SpaceContent;
  /** The space that a URL belongs to, and the path below it. */
  at(url: string): { space: string; path: string } | undefined;
  site(organization: string, id: string): SiteResource;
  /** The schema of visitor claims that the integration has set for the site. */
  adaptiveSchema(organization: string, site: string): object;
  adapt(organization: string, site: string, schema: object): void;
  /** The revision that an event may name; undefined if any may. */
  nextRevision(space: string): string | undefined;
  revise(space: string, revision: string): void;
  setVisibility(space: string, visibility: string): void;
}

export function createSpaces(deps: {
  registry: Registry;
  addresses: Addresses;
  state: StateStore;
  clock: Pick<Clock, 'now'>;
  /** The folders that are mounted as spaces, by space. */
  contents: ReadonlyMap<string, Content>;
}): Spaces {
  const { registry, addresses, state, clock, contents } = deps;
  const started = clock.now();
  const records = createCollection<SpaceRecord>(state, 'spaces');
  const schemas = createCollection<object>(state, 'adaptive-schemas');
  const change = (id: string, values: SpaceRecord): void =>
    records.put(id, { ...records.get(id), ...values });
  /** Nothing is published here, but scripts redirect visitors to the URL where it would be. */
  const published = (kind: string, id: string): string => `${addresses.local}/published/${kind}/${id}`;
  const urlsOf = (id: string): { app: string; published: string } => ({
    app: `${addresses.console}/spaces/${id}`,
    published: published('spaces', id),
  });
  const contentOf = (id: string): SpaceContent => {
    const { app } = urlsOf(id);
    const mounted = contents.get(id);
    if (mounted) return showFolder(id, mounted, app);
    return showSample(id, app, () => {
      const { revision = `${id}_revision_1`, revisedAt = started } = records.get(id) ?? {};
      return { id: revision, createdAt: revisedAt };
    });
  };

  return {
    organization(id) {
      const { title } = findOrganization(registry, id);
      return { object: 'organization', id, title, urls: { app: addresses.console } };
    },
    space(id) {
      const { title, organization, visibility } = findSpace(registry, id);
      const revision = contentOf(id).revision();
      return {
        object: 'space',
        id,
        title,
        organization,
        visibility: records.get(id)?.visibility ?? visibility,
        revision: revision.id,
        createdAt: isoTime(started),
        updatedAt: isoTime(revision.createdAt),
        urls: urlsOf(id),
      };
    },
    content(id) {
      findSpace(registry, id);
      return contentOf(id);
    },
    at(url) {
      const asked = `${ofThisStart(addresses, url).replace(/[?#].*$/, '')}/`;
      for (const { id } of registry.workspace.spaces) {
        const address = Object.values(urlsOf(id)).find((one) => asked.startsWith(`${one}/`));
        if (address !== undefined) return { space: id, path: asked.slice(address.length) };
      }
      return undefined;
    },
    site(organization, id) {
      const site = findSite(registry, organization, id);
      const urls = { app: `${addresses.console}/sites/${id}`, published: published('sites', id) };
      return { object: 'site', ...site, adaptiveContent: { enabled: true }, urls };
    },
    adaptiveSchema(organization, id) {
      const schema = schemas.get(findSite(registry, organization, id).id);
      if (!schema) throw notFound(`The site ${id} has no adaptive schema.`);
      return schema;
    },
    adapt: (organization, id, schema) => schemas.put(findSite(registry, organization, id).id, schema),
    nextRevision: (id) => contents.get(id)?.revision().id,
    revise: (id, revision) => change(id, { revision, revisedAt: clock.now() }),
    setVisibility: (id, visibility) => change(id, { visibility: visibility as Visibility }),
  };
}

/** A script may have stored a URL of an earlier start, when the console had another port. */
const ofThisStart = ({ console }: Addresses, url: string): string =>
  url.replace(/^http:[/][/]127[.]0[.]0[.]1:\d+[/]console(?=[/])/, console);

function findOrganization({ workspace }: Registry, id: string): Organization {
  const found = workspace.organizations.find((one) => one.id === id);
  if (!found) throw notFound(`There is no organization ${id}.`);
  return found;
}

function findSite({ workspace }: Registry, organization: string, id: string): Site {
  const site = workspace.sites.find((one) => one.id === id);
  if (site?.organization !== organization) throw notFound(`There is no site ${id} in ${organization}.`);
  return site;
}

function findSpace({ workspace }: Registry, id: string): Space {
  const space = workspace.spaces.find((one) => one.id === id);
  if (!space) throw notFound(`There is no space ${id}.`);
  return space;
}
