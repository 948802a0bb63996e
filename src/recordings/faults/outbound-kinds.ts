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

/** Whether a request stores something on the platform. */
export const stores = ({ method, url }: Request): boolean => isPlatform(url) && changes(method);

/** Whether a request changes data in another service, which token requests and queries do not. */
export const changesOutside = ({ method, url, body }: Request): boolean =>
  changes(method) && !isPlatform(url) && !isQuestion(url, bodyText(body));

const isQuestion = (url: string, body: string): boolean =>
  /\bgrant_type\b/.test(body) ||
  /\/(?:search|query|token|introspect)\/?(?:\?|$)/.test(url) ||
  /"query":"\s*(?:query\b|\{)/.test(body);

const bodyText = (body: ReplayBody | undefined): string => comparableBody(body).replaceAll(seededId, 'id');

/** Returns a key shared by all requests that ask for the same thing. */
export const requestKey = ({ method, url, body }: Request): string =>
  [method, url.replaceAll(seededId, 'id'), bodyText(body)].join(' ');
