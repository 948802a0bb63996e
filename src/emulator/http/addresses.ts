/** URLs for browsers and other programs. */
export interface Addresses {
  /** The public port, without a slash at the end: `http://127.0.0.1:4100`. */
  local: string;
  /** The console port, in the same form. */
  consoleOrigin: string;
  /** The base URL of public addresses: the URL of the tunnel, or else `local`. */
  public: string;
  api: string;
  console: string;
  integration(name: string): string;
  installation(name: string, installation: string): string;
  placement(name: string, installation: string, kind: 'site' | 'space', target: string): string;
  /** Published scripts and visitor authentication. */
  content(name: string): string;
  /** The files of the project's `public/` folder. */
  assets(name: string): string;
  publicFolder: string | undefined;
}

export function createAddresses(options: {
  origin: string;
  consoleOrigin: string;
  publicUrl?: string | undefined;
  publicFolder?: string | undefined;
}): Addresses {
  const { origin, consoleOrigin, publicUrl, publicFolder } = options;
  const base = (publicUrl ?? origin).replace(/[/]+$/, '');
  const integration = (name: string): string => `${base}/v1/integrations/${name}`;
  const installation = (name: string, id: string): string => `${integration(name)}/installations/${id}`;
  return {
    local: origin,
    consoleOrigin,
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
