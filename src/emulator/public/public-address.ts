import type { InstallTarget } from '../state/script-environments.js';

/** The installation in the path of a public URL, and the rest of the path. */
export interface IntegrationAddress {
  name: string;
  target: InstallTarget;
  /** The rest of the path, which the integration handles. */
  rest: string;
}

const pattern = /^([^/]+)(?:[/]installations[/]([^/]+)(?:[/](site|space)s[/]([^/]+))?)?(?=[/]|$)/;

/** Parses `/v1/integrations/:name[/installations/:id[/sites/:site or /spaces/:space]]` and the rest of the path. */
export function parseIntegrationAddress(path: string, prefix: string): IntegrationAddress | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const match = pattern.exec(path.slice(prefix.length));
  if (!match?.[1]) return undefined;
  const [whole, name, installation, kind, target] = match;
  return {
    name,
    target: {
      ...(installation !== undefined && { installation }),
      ...(kind !== undefined && { [kind]: target }),
    },
    rest: path.slice(prefix.length + whole.length),
  };
}
