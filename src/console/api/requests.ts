import type { RenderContext, UIAction } from '../../protocol/events.js';
import type { Option } from '../markup/markup-context.js';
import type { RenderResult } from '../markup/component-session.js';
import { request, requestBytes } from './fetch-api.js';
import type { Block } from '../../protocol/block.js';
import type {
  DeliveryDetailResource,
  DeliveryFilter,
  DeliveryResource,
  EndpointResource,
  EventTypeResource,
  InstallationResource,
  ListingResource,
  PlatformResource,
  ReplayResource,
} from './response-types.js';
import { pageSize } from './paged-list.js';
import type { TrafficEntry, TrafficFilter, TrafficLine } from './call-types.js';

/** An installation, or its part in one site or space. */
export interface InstallTarget {
  installation: string;
  site?: string;
  space?: string;
}

export interface RenderBody extends InstallTarget {
  block?: string;
  component?: string;
  props?: Record<string, unknown>;
  state?: Record<string, unknown>;
  action?: UIAction;
  modal?: boolean;
  context?: RenderContext;
}

const part = encodeURIComponent;

function query(values: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(values).flatMap(([key, value]) =>
    value === undefined || value === '' || value === false ? [] : [[key, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

const installationPath = ({ installation, site, space }: InstallTarget): string =>
  `/installations/${part(installation)}` +
  (site === undefined ? (space === undefined ? '' : `/spaces/${part(space)}`) : `/sites/${part(site)}`);

/** Everything that the console asks of the platform. */
export const api = {
  platform: () => request<PlatformResource>('GET', '/overview'),
  installLink: () => request<{ url: string; link: string }>('GET', '/install-link'),

  install: (body: { organization: string; link?: string }) =>
    request<InstallationResource>('POST', '/installations', body),
  uninstall: (installation: string) => request('DELETE', installationPath({ installation })),
  pause: (installation: string) => request('POST', `${installationPath({ installation })}/pause`),
  resume: (installation: string) => request('POST', `${installationPath({ installation })}/resume`),
  place: (place: InstallTarget) => request('POST', installationPath(place)),
  remove: (place: InstallTarget) => request('DELETE', installationPath(place)),
  configure: (place: InstallTarget, edit: { set?: Record<string, unknown>; unset?: string[] }) =>
    request('PATCH', '/configuration', { ...place, ...edit }),
  options: (place: InstallTarget, source: { property: string } | { url: string }, typed: string) =>
    request<Option[]>('GET', `/options${query({ ...place, ...source, q: typed })}`),

  render: (body: RenderBody) => request<RenderResult>('POST', '/render', body),
  blocks: () => request<Block[]>('GET', '/blocks'),
  insertBlock: (body: InstallTarget & { component: string; props: Record<string, unknown> }) =>
    request<Block>('POST', '/blocks', body),
  removeBlock: (id: string) => request('DELETE', `/blocks/${part(id)}`),

  traffic: (filter: TrafficFilter, oldest: TrafficLine | undefined) =>
    request<TrafficLine[]>(
      'GET',
      `/traffic${query({ ...filter, before: oldest?.position, limit: pageSize })}`,
    ),
  call: (id: string) => request<TrafficEntry>('GET', `/traffic/${part(id)}`),
  body: (id: string, which: 'request' | 'response') => requestBytes(`/traffic/${part(id)}/${which}-body`),
  replay: (id: string) => request<ReplayResource>('POST', `/traffic/${part(id)}/replay`),
  eventTypes: () => request<EventTypeResource[]>('GET', '/events'),
  fire: (body: { type: string; event: Record<string, unknown> } & Partial<InstallTarget>) =>
    request<{ fired: { call?: string; outcome: string } }>('POST', '/events', body),

  endpoints: () => request<EndpointResource[]>('GET', '/webhooks'),
  secret: (id: string) => request<{ secret: string }>('GET', `/webhooks/${part(id)}`),
  addEndpoint: (body: InstallTarget & { url: string; events: string[] }) =>
    request<EndpointResource>('POST', '/webhooks', body),
  changeEndpoint: (id: string, body: { enabled?: boolean; url?: string; events?: string[] }) =>
    request('PATCH', `/webhooks/${part(id)}`, body),
  removeEndpoint: (id: string) => request('DELETE', `/webhooks/${part(id)}`),
  rotateSecret: (id: string) => request('POST', `/webhooks/${part(id)}/rotate`),
  ping: (id: string) => request<DeliveryResource>('POST', `/webhooks/${part(id)}/ping`),
  async deliveries(filter: DeliveryFilter, oldest: DeliveryResource | undefined) {
    const found = await request<DeliveryResource[]>(
      'GET',
      `/deliveries${query({ ...filter, before: oldest?.id, limit: pageSize })}`,
    );
    return found.reverse();
  },
  delivery: (id: string) => request<DeliveryDetailResource>('GET', `/deliveries/${part(id)}`),
  resend: (id: string) => request<DeliveryResource>('POST', `/deliveries/${part(id)}/resend`),
  skipWait: (id: string) => request('POST', `/deliveries/${part(id)}/skip-wait`),

  listing: () => request<ListingResource>('GET', '/listing'),
};
