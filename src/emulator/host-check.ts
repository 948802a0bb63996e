/** Which of the platform's names a request was sent to. */
type NamedHost = 'local' | 'public' | 'unknown';

export interface HostCheck {
  /** By the host of an absolute address. */
  host(url: string): NamedHost;
  /** Whether a browser says that the request comes from another site's page. */
  foreign(request: Request): boolean;
}

export function createHostCheck(origin: string, publicUrl?: string): HostCheck {
  const { port } = new URL(origin);
  const suffix = port ? `:${port}` : '';
  const local = new Set(['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}${suffix}`));
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  const origins = new Set([...local].map((host) => `http://${host}`));

  return {
    host(url) {
      const start = url.indexOf('//') + 2;
      const end = url.indexOf('/', start);
      const host = url.slice(start, end === -1 ? undefined : end);
      if (local.has(host)) return 'local';
      return host === publicHost ? 'public' : 'unknown';
    },
    foreign(request) {
      const from = request.headers.get('origin');
      return from !== null && !origins.has(from);
    },
  };
}
