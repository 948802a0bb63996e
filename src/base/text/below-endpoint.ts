const endpoint =
  /^[/](v1|content)[/]integrations[/][^/?]+([/]installations[/][^/?]+([/](sites|spaces)[/][^/?]+)?)?/;

/** The path and query of a URL below its public endpoint, as lists of calls show it. */
export function belowEndpoint(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname.replace(endpoint, '') + search || '/';
}
