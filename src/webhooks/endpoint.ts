export interface EndpointTarget {
  type: 'space' | 'site';
  id: string;
}

/** Where the events of one space or site are sent. */
export interface Endpoint {
  id: string;
  installationId: string;
  place: EndpointTarget;
  url: string;
  events: string[];
  enabled: boolean;
  secret: string;
  /** After a rotation both secrets sign, until this one has run out. */
  previousSecret?: { secret: string; until: number };
  createdAt: number;
}
