import type { EventOf, EventType, FetchRequest, Visitor } from './events.js';
import { localUser } from './workspace.js';

/** The ids and the URL in a sample event. Omitted fields are filled in with plausible values. */
export interface SampleScene {
  installationId?: string;
  spaceId?: string;
  siteId?: string;
  pageId?: string;
  componentId?: string;
  sourceId?: string;
  /** The URL of the viewed page, or of the request. */
  url?: string;
  /** Creates an id with a prefix (`evt`, `rev`, `vis`). By default, the rest of the id is random. */
  newId?: (kind: string) => string;
}

type Payload<Type extends EventType> = Omit<EventOf<Type>, 'eventId' | 'type' | 'installationId'>;
type Scene = Required<SampleScene>;

/** Returns a sample event of this type, as the platform would send it. */
export function sampleEvent<Type extends EventType>(type: Type, scene: SampleScene = {}): EventOf<Type> {
  const whole: Scene = { ...scenery, newId: randomId, ...scene };
  const payload: Payload<Type> = payloads[type](whole);
  const common = { eventId: whole.newId('evt'), type, installationId: whole.installationId };
  return { ...common, ...payload } as EventOf<Type>;
}

const scenery = {
  installationId: 'installation-1',
  spaceId: 'space-1',
  siteId: 'site-1',
  pageId: 'page-1',
  componentId: 'block',
  sourceId: 'source',
  url: 'https://docs.example.com/getting-started',
};

const randomId = (kind: string): string => `${kind}_${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`;

const visitor = ({ newId }: Scene): Visitor => ({
  anonymousId: newId('vis'),
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  ip: '203.0.113.7',
  cookies: {},
});

const request = ({ url }: Scene): FetchRequest => ({ url, method: 'GET', headers: { accept: '*/*' } });
const referrer = 'https://www.example.com/search?q=docs';
const renderContext = { type: 'document', theme: 'light', editable: true } as const;

const payloads: { [Type in EventType]: (scene: Scene) => Payload<Type> } = {
  installation_setup: () => ({ status: 'active', previous: { status: 'pending', configuration: {} } }),
  space_installation_setup: ({ spaceId }) => ({ spaceId, status: 'active' }),
  site_installation_setup: ({ siteId }) => ({ siteId, status: 'active' }),
  installation_deleted: () => ({ previous: { configuration: {} } }),
  space_installation_deleted: ({ spaceId }) => ({ spaceId, previous: { configuration: {} } }),
  site_installation_deleted: ({ siteId }) => ({ siteId, previous: { configuration: {} } }),
  space_view: (scene) => ({
    spaceId: scene.spaceId,
    pageId: scene.pageId,
    visitor: visitor(scene),
    url: scene.url,
    referrer,
  }),
  ui_render: ({ componentId, spaceId }) => ({
    componentId,
    props: {},
    context: { ...renderContext, spaceId },
    spaceId,
  }),
  space_content_updated: ({ spaceId, newId }) => ({
    spaceId,
    revisionId: newId('rev'),
    updatedBy: [localUser],
  }),
  space_visibility_updated: ({ spaceId }) => ({
    spaceId,
    visibility: 'public',
    previousVisibility: 'private',
  }),
  space_gitsync_started: ({ spaceId, newId }) => ({
    spaceId,
    revisionId: newId('rev'),
    commitId: '3f786850e387550fdab836ed7e6dc881de23001b',
  }),
  space_gitsync_completed: ({ spaceId, newId }) => ({
    spaceId,
    revisionId: newId('rev'),
    commitId: '3f786850e387550fdab836ed7e6dc881de23001b',
    state: 'success',
  }),
  site_view: (scene) => ({ siteId: scene.siteId, visitor: visitor(scene), url: scene.url, referrer }),
  page_feedback: (scene) => ({
    siteId: scene.siteId,
    spaceId: scene.spaceId,
    pageId: scene.pageId,
    feedback: { rating: 'good', comment: 'This page helped me.' },
    visitor: visitor(scene),
    url: scene.url,
    referrer,
  }),
  fetch: (scene) => ({ request: request(scene) }),
  fetch_published_script: (scene) => ({ siteId: scene.siteId, request: request(scene) }),
  fetch_visitor_authentication: (scene) => ({
    siteId: scene.siteId,
    location: new URL(scene.url).pathname,
    request: request(scene),
  }),
  task: () => ({ task: { type: 'refresh', payload: { page: 1 } } }),
  content_compute_revision: ({ sourceId }) => ({ sourceId, props: {}, dependencies: {} }),
  content_compute_document: ({ sourceId, pageId }) => ({
    sourceId,
    props: { page: pageId },
    dependencies: {},
  }),
};

/** Every event type, in display order. */
export const eventTypes = Object.keys(payloads) as EventType[];
