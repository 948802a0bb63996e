import { StoreError } from '../../model/store-error.js';

const address = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;

/**
 * Returns one URL per host, whether the hosts come before the path or in the parameters. The URL of a Unix
 * socket may have a user but no host, which the URL class cannot parse.
 */
export function splitHosts(text: string): URL[] {
  const [, scheme, names = '', rest = ''] = address.exec(text) ?? [];
  if (scheme === undefined) throw notAnAddress();
  const urls = names.split(',').map((name) => {
    const host = name === '' && scheme.endsWith('@') ? 'localhost' : name;
    const one = `${scheme}${host}${rest}`;
    if (!URL.canParse(one)) throw notAnAddress();
    return new URL(one);
  });
  return urls.flatMap(splitParameters);
}

function splitParameters(url: URL): URL[] {
  const [hosts = [], ports = []] = ['host', 'port'].map((name) => url.searchParams.get(name)?.split(','));
  if (hosts.length < 2) return [url];
  return hosts.map((host, at) => {
    const one = new URL(url);
    one.searchParams.set('host', host);
    const port = ports[at] ?? ports[0];
    if (port) one.searchParams.set('port', port);
    return one;
  });
}

const notAnAddress = (): StoreError =>
  new StoreError('store/unreachable', 'The database URL is not a Postgres URL.', {
    hint: 'Use the form postgres://user@host:5432/database.',
  });
