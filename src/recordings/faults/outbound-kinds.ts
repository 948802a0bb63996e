import { parseJson } from '../../base/parse-json.js';
import { comparableBody, seededId, type ReplayBody } from '../../sandbox/index.js';
import { PLATFORM } from '../recorded-environment.js';

interface Request {
  method: string;
  url: string;
  body?: ReplayBody;
}

/** Whether a request goes to the platform's own API. */
export const isPlatform = (url: string): boolean => url.startsWith(`${PLATFORM}/`);

const changes = (method: string): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(method);

export const stores = ({ method, url }: Request): boolean => isPlatform(url) && changes(method);

/** Whether a request changes data in another service, which token requests and queries do not. */
export const changesOutside = ({ method, url, body }: Request): boolean =>
  changes(method) && !isPlatform(url) && !isQuestion(url, bodyText(body));

/** Verbs of POST requests that only read, at the end of a path or in a method such as `users.lookupByEmail`. */
const reads =
  /^(?:search|query|token|introspect|lookup|find|get|list|info|read|fetch|check|validate|verify|resolve|preview|render|convert|translate|detect|classify|suggest|count|match)$/;

function isQuestion(url: string, body: string): boolean {
  const last =
    URL.parse(url)
      ?.pathname.split('/')
      .findLast((part) => part !== '') ?? '';
  const [, method] = /[.:](\w+)$/.exec(last) ?? [];
  const words = (method ?? last)
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_]/);
  const isRead = reads.test(words.at(-1) ?? '') || (method !== undefined && reads.test(words[0] ?? ''));
  return isRead || /\bgrant_type\b/.test(body) || /"query":"\s*(?:query\b|\{)/.test(body);
}

const keyName =
  /idempotency|dedupe|(?:unique|external|request|transaction|operation|event|client[_-]?(?:msg|message|mutation))[_-]?(?:id|key|token|uuid)$|^key$/i;

/** Whether a request contains a key that is the same when it is repeated, so that the receiver can ignore the second one. */
export function hasOwnKey({ headers, url, body }: Request & { headers: [string, string][] }): boolean {
  const text = comparableBody(body);
  const fields = Object.entries(parseJson(text.startsWith('{') ? text : '{}', {}) as object);
  const pairs: [string, unknown][] = [...headers, ...(URL.parse(url)?.searchParams ?? []), ...fields];
  return pairs.some(
    ([name, value]) => keyName.test(name) && typeof value === 'string' && value.search(seededId) === -1,
  );
}

const bodyText = (body: ReplayBody | undefined): string => comparableBody(body).replaceAll(seededId, 'id');

/** Returns a key shared by all requests that ask for the same thing. */
export const requestKey = ({ method, url, body }: Request): string =>
  [method, url.replaceAll(seededId, 'id'), bodyText(body)].join(' ');
