const endpoint =
  /^[/](v1|content)[/]integrations[/][^/?]+([/]installations[/][^/?]+([/](sites|spaces)[/][^/?]+)?)?/;

/** The path and query of an address, below the public endpoint that it belongs to: how calls are named in lists. */
export function belowEndpoint(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname.replace(endpoint, '') + search || '/';
}
