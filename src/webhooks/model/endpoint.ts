/** The space or site whose events an endpoint receives. */
export interface EndpointTarget {
  type: 'space' | 'site';
  id: string;
}

/** A URL that receives events from a single space or site. */
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

/** Applies the definition passed to `putEndpoint`, and keeps the other stored fields. */
export const redefine = (stored: Endpoint, { installationId, target, url, events }: Endpoint): Endpoint => ({
  ...stored,
  installationId,
  target,
  url,
  events,
});
