/** URLs for browsers and other programs. */
export type Addresses = ReturnType<typeof createAddresses>;

export function createAddresses(options: {
  origin: string;
  consoleOrigin: string;
  siteOrigin?: string;
  publicUrl?: string | undefined;
  publicFolder?: string | undefined;
}) {
  // If there is no site, nothing is published, but scripts can still redirect visitors to the URL that the site would have.
  const { origin, consoleOrigin, siteOrigin = `${origin}/published`, publicUrl, publicFolder } = options;
  const base = (publicUrl ?? origin).replace(/[/]+$/, '');
  const integration = (name: string): string => `${base}/v1/integrations/${name}`;
  return {
    /** The origin of the public port, without a trailing slash, such as `http://127.0.0.1:4100`. */
    local: origin,
    /** The origin of the console port, in the same format. */
    consoleOrigin,
    /** The site's URL, without a trailing slash. */
    site: siteOrigin,
    /** The base of public URLs: the tunnel's URL, or `local` without a tunnel. */
    public: base,
    api: `${origin}/api`,
    console: `${consoleOrigin}/console`,
    integration,
    /** Returns the public endpoint of an installation, or of the site or space where it is installed. */
    target(
      name: string,
      { installation, site, space }: { installation: string; site?: string; space?: string },
    ) {
      const part = site ? `/sites/${site}` : space ? `/spaces/${space}` : '';
      return `${integration(name)}/installations/${installation}${part}`;
    },
    /** Returns the URL for published scripts and for visitor authentication. */
    content: (name: string) => `${base}/content/integrations/${name}`,
    /** Returns the URL for files in the project's `public/` folder. */
    assets: (name: string) => `${base}/assets/integrations/${name}`,
    publicFolder,
  };
}
