const endpoint =
  /^[/](v1|content)[/]integrations[/][^/?]+([/]installations[/][^/?]+([/](sites|spaces)[/][^/?]+)?)?/;

/** Returns the part of a URL's path and query that follows its public endpoint, for lists of calls. */
export function belowEndpoint(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname.replace(endpoint, '') + search || '/';
}
