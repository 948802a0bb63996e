const endpoint =
  /^[/](v1|content)[/]integrations[/][^/?]+([/]installations[/][^/?]+([/](sites|spaces)[/][^/?]+)?)?/;

/** Removes the public endpoint from the start of a URL, leaving the path and query, for use in lists of calls. */
export function belowEndpoint(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname.replace(endpoint, '') + search || '/';
}
