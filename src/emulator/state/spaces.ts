import { isoTime, type Clock } from '../../base/clock.js';
import type { SiteResource, SpaceResource } from '../../contract/routes/overview.js';
import type { Organization, Site, Space, Visibility } from '../../protocol/workspace.js';
import type { StateStore } from '../../store/state/state-store.js';
import type { Addresses } from '../http/addresses.js';
import { notFound } from '../http/http-error.js';
import { createCollection } from './installation-records.js';
import type { Registry } from './registry.js';

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
  /** Its current revision. */
  content(space: string): { pages: object[] };
  page(space: string, id: string): object;
  firstPage(space: string): { revision: string; page: string };
  /** The space that a URL belongs to. */
  at(url: string): string | undefined;
  site(organization: string, id: string): SiteResource;
  /** The schema of visitor claims that the integration has set for the site. */
  adaptiveSchema(organization: string, site: string): object;
  adapt(organization: string, site: string, schema: object): void;
  revise(space: string, revision: string): void;
  setVisibility(space: string, visibility: string): void;
}

export function createSpaces(deps: {
  registry: Registry;
  addresses: Addresses;
  state: StateStore;
  clock: Pick<Clock, 'now'>;
}): Spaces {
  const { registry, addresses, state, clock } = deps;
  const started = clock.now();
  const records = createCollection<SpaceRecord>(state, 'spaces');
  const schemas = createCollection<object>(state, 'adaptive-schemas');
  const change = (id: string, values: SpaceRecord): void =>
    records.put(id, { ...records.get(id), ...values });
  /** Nothing is published here, but scripts redirect visitors to the URL where it would be. */
  const published = (kind: string, id: string): string => `${addresses.local}/published/${kind}/${id}`;
  const revisionOf = (id: string): string => records.get(id)?.revision ?? `${id}_revision_1`;
  const revisedAt = (id: string): string => isoTime(records.get(id)?.revisedAt ?? started);
  const urlsOf = (id: string): { app: string; published: string } => ({
    app: `${addresses.console}/spaces/${id}`,
    published: published('spaces', id),
  });
  const pageOf = (space: string) => onlyPage(space, urlsOf(space).app);

  return {
    organization(id) {
      const { title } = findOrganization(registry, id);
      return { object: 'organization', id, title, urls: { app: addresses.console } };
    },
    space(id) {
      const { title, organization, visibility } = findSpace(registry, id);
      return {
        object: 'space',
        id,
        title,
        organization,
        visibility: records.get(id)?.visibility ?? visibility,
        revision: revisionOf(id),
        createdAt: isoTime(started),
        updatedAt: revisedAt(id),
        urls: urlsOf(id),
      };
    },
    content(id) {
      findSpace(registry, id);
      const { app } = urlsOf(id);
      return {
        ...emptyRevision,
        id: revisionOf(id),
        createdAt: revisedAt(id),
        pages: [pageOf(id)],
        urls: { app },
      };
    },
    page(space, id) {
      findSpace(registry, space);
      const page = pageOf(space);
      if (page.id !== id) throw notFound(`There is no page ${id} in ${space}.`);
      return page;
    },
    firstPage: (space) => ({ revision: revisionOf(space), page: pageOf(space).id }),
    at: (url) =>
      registry.workspace.spaces.find(({ id }) =>
        Object.values(urlsOf(id)).some((address) =>
          `${ofThisStart(addresses, url)}/`.startsWith(`${address}/`),
        ),
      )?.id,
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

/** The only page of every local space. */
const onlyPage = (space: string, app: string) => ({
  id: `${space}_page_1`,
  type: 'document',
  title: 'Start',
  slug: '',
  path: '',
  documentId: `${space}_document_1`,
  tags: [],
  urls: { app },
  pages: [],
});

const emptyRevision = {
  object: 'revision',
  type: 'edits',
  parents: [],
  files: [],
  reusableContents: [],
  tags: [],
} as const;
