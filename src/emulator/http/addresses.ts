/** URLs for browsers and other programs. */
export interface Addresses {
  /** The origin of the public port, without a trailing slash, such as `http://127.0.0.1:4100`. */
  local: string;
  /** The origin of the console port, in the same format. */
  consoleOrigin: string;
  /** The site's URL, without a trailing slash. */
  site: string;
  /** The base of public URLs: the tunnel's URL, or `local` without a tunnel. */
  public: string;
  api: string;
  console: string;
  integration(name: string): string;
  installation(name: string, installation: string): string;
  placement(name: string, installation: string, kind: 'site' | 'space', target: string): string;
  /** Returns the URL for published scripts and for visitor authentication. */
  content(name: string): string;
  /** Returns the URL for files in the project's `public/` folder. */
  assets(name: string): string;
  publicFolder: string | undefined;
}

export function createAddresses(options: {
  origin: string;
  consoleOrigin: string;
  siteOrigin?: string;
  publicUrl?: string | undefined;
  publicFolder?: string | undefined;
}): Addresses {
  // If there is no site, nothing is published, but scripts can still redirect visitors to the URL that the site would have.
  const { origin, consoleOrigin, siteOrigin = `${origin}/published`, publicUrl, publicFolder } = options;
  const base = (publicUrl ?? origin).replace(/[/]+$/, '');
  const integration = (name: string): string => `${base}/v1/integrations/${name}`;
  const installation = (name: string, id: string): string => `${integration(name)}/installations/${id}`;
  return {
    local: origin,
    consoleOrigin,
    site: siteOrigin,
    public: base,
    api: `${origin}/api`,
    console: `${consoleOrigin}/console`,
    integration,
    installation,
    placement: (name, id, kind, target) => `${installation(name, id)}/${kind}s/${target}`,
    content: (name) => `${base}/content/integrations/${name}`,
    assets: (name) => `${base}/assets/integrations/${name}`,
    publicFolder,
  };
}
