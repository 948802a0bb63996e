const endpoint =
  /^[/](v1|content)[/]integrations[/][^/?]+([/]installations[/][^/?]+([/](sites|spaces)[/][^/?]+)?)?/;

/** Returns the path and query of a URL without the public endpoint at the start, for use in lists of calls. */
export function belowEndpoint(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname.replace(endpoint, '') + search || '/';
}
