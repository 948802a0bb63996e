export interface EndpointTarget {
  type: 'space' | 'site';
  id: string;
}

/** The URL to which the events of one space or site are sent. */
export interface Endpoint {
  id: string;
  installationId: string;
  target: EndpointTarget;
  url: string;
  events: string[];
  enabled: boolean;
  secret: string;
  /** After a rotation, requests are signed with both secrets until the previous one expires. */
  previousSecret?: { secret: string; until: number };
  createdAt: number;
}

/** Takes over what the caller of `putEndpoint` defines, and keeps what others have changed since. */
export const redefine = (stored: Endpoint, { installationId, target, url, events }: Endpoint): Endpoint => ({
  ...stored,
  installationId,
  target,
  url,
  events,
});
