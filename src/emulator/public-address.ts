import type { Place } from './environments.js';

/** What a path below `/v1/integrations/` names. */
export interface PublicAddress {
  name: string;
  place: Place;
}

const pattern =
  /^[/]v1[/]integrations[/]([^/]+)(?:[/]installations[/]([^/]+)(?:[/](site|space)s[/]([^/]+))?)?(?:[/]|$)/;

/** Any path may follow the address; it belongs to the integration. */
export function parsePublicAddress(path: string): PublicAddress | undefined {
  const match = pattern.exec(path);
  if (!match?.[1]) return undefined;
  const [, name, installation, kind, target] = match;
  return {
    name,
    place: {
      ...(installation !== undefined && { installation }),
      ...(kind !== undefined && { [kind]: target }),
    },
  };
}
