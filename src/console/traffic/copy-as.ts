import type { TrafficEntry } from '../live/traffic-entry.js';

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Headers that curl makes itself. */
const madeByCurl = new Set(['host', 'content-length', 'connection', 'accept-encoding', 'transfer-encoding']);

/** The request once more; an event that the platform fired is sent as the envelope that the script got. */
export function toCurl(entry: TrafficEntry, origin: string, body: string | undefined): string {
  const { request, event, environment } = entry;
  if (request) {
    const lines = [
      `curl -X ${request.method} ${quote(request.url)}`,
      ...request.headers
        .filter(([name]) => !madeByCurl.has(name.toLowerCase()))
        .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
      ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
    ];
    return lines.join(' \\\n  ');
  }
  const fields = Object.entries({ event, environment })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `--form-string ${quote(`${name}=${JSON.stringify(value)}`)}`);
  return [`curl ${quote(`${origin}/v1`)}`, ...fields].join(' \\\n  ');
}

/** The command that fires the event anew; `eventId` and `type` are the platform's own. */
export function toTrigger({ event }: TrafficEntry): string | undefined {
  if (!event) return undefined;
  const { eventId: _, type, installationId, ...payload } = event;
  const places = { siteId: 'site', spaceId: 'space' } as const;
  const options = Object.entries(payload).flatMap(([key, value]) => {
    const place = Object.hasOwn(places, key) ? places[key as keyof typeof places] : undefined;
    if (place && typeof value === 'string') return [`--${place} ${word(value)}`];
    return leaves(key, value).map(([path, leaf]) => `--set ${word(`${path}=${leaf}`)}`);
  });
  return [`platform trigger ${word(type)}`, `--installation ${word(installationId)}`, ...options].join(
    ' \\\n  ',
  );
}

const word = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quote(text));

function leaves(path: string, value: unknown): [path: string, value: string][] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
  }
  return Object.entries(value).flatMap(([key, inner]) => leaves(`${path}.${key}`, inner));
}
