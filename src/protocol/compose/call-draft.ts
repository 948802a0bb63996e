import { belowEndpoint } from '../../base/text/below-endpoint.js';
import { readBody } from '../../base/text/read-body.js';
import { setPath, type PathProblem } from '../../base/set-path.js';
import type { PlatformEvent } from '../events.js';
import type { RequestBody } from './request-problems.js';

export type Pair = [name: string, value: string];

interface DraftTarget {
  installation: string;
  site?: string;
  space?: string;
}

/** A request to the public endpoint of a target, before it is sent. */
export interface RequestDraft {
  kind: 'request';
  target: DraftTarget | undefined;
  method: string;
  /** The path after the endpoint's URL, without the query. */
  path: string;
  query: Pair[];
  headers: Pair[];
  body?: RequestBody;
}

export interface EventDraft {
  kind: 'event';
  target: DraftTarget | undefined;
  type: PlatformEvent['type'];
  /** The event without the fields that the platform sets. */
  event: Record<string, unknown>;
}

/**
 * A call that can be edited before it is sent. The console's composer and `platform trigger --from-call` start with a draft
 * like this.
 */
export type CallDraft = RequestDraft | EventDraft;

/** These headers belong to the connection, and the new request will have its own. */
const ownHeaders = new Set([
  'host',
  'content-length',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'accept-encoding',
  'expect',
]);

/** The fields of events that the platform sets. */
export const ownFields: readonly string[] = ['eventId', 'type', 'installationId', 'siteId', 'spaceId'];

/** Converts a recorded call to a draft. Returns undefined if there is nothing to send. */
export function draftOfCall(
  { event, request }: { event?: PlatformEvent | undefined; request?: { url: string; headers: Pair[] } },
  body?: Uint8Array,
): CallDraft | undefined {
  if (!event) return undefined;
  if (event.type !== 'fetch') {
    const fields = Object.entries(event).filter(([name]) => !ownFields.includes(name));
    return { kind: 'event', target: targetOf(event), type: event.type, event: Object.fromEntries(fields) };
  }
  const { method, url } = event.request;
  const [path, query = ''] = splitOnce(belowEndpoint(request?.url ?? url), '?');
  const headers = request?.headers ?? Object.entries(event.request.headers);
  return {
    kind: 'request',
    target: { ...targetOf(event), ...partOf(request?.url ?? url) },
    method,
    path,
    query: [...new URLSearchParams(query)],
    headers: headers.filter(([name]) => !ownHeaders.has(name.toLowerCase())),
    ...(body && body.length > 0 && { body: readBody(body) }),
  };
}

const requestFields =
  'method, path, query.<name>, headers.<name>, body, and body.<field> if the body is JSON';

/** Sets the field of a draft at the given path. Returns a problem if the draft has no such field. */
export function setInDraft(draft: CallDraft, path: string, value: unknown): PathProblem | undefined {
  if (draft.kind === 'event') return setPath(draft.event, path, value);
  const [field, name] = splitOnce(path, '.');
  if (field === 'body' && name !== undefined) return setInBody(draft, name, value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const pairValue = value === null ? undefined : text;
  if (path === 'method') draft.method = text.toUpperCase();
  else if (path === 'path') setAddress(draft, text);
  else if (path === 'body') setBody(draft, value);
  else if (field === 'query' && name !== undefined) draft.query = withPair(draft.query, name, pairValue);
  else if (field === 'headers' && name !== undefined)
    draft.headers = withPair(draft.headers, name, pairValue);
  else return unknownField(path);
  return undefined;
}

const unknownField = (path: string): PathProblem => ({
  message: `${path} cannot be set in this request.`,
  help: `It has ${requestFields}.`,
});

export function addressOf({ path, query }: Pick<RequestDraft, 'path' | 'query'>): string {
  const search = new URLSearchParams(query).toString();
  return `${path.startsWith('/') ? '' : '/'}${path}${search === '' ? '' : `?${search}`}`;
}

/** If the user enters a path with a query, that query replaces the draft's. */
export function setAddress(draft: Pick<RequestDraft, 'path' | 'query'>, address: string): void {
  const [path, query] = splitOnce(address, '?');
  draft.path = path;
  if (query !== undefined) draft.query = [...new URLSearchParams(query)];
}

function setBody(draft: RequestDraft, value: unknown): void {
  if (value === null) delete draft.body;
  else draft.body = { encoding: 'utf-8', content: typeof value === 'string' ? value : JSON.stringify(value) };
}

function setInBody(draft: RequestDraft, path: string, value: unknown): PathProblem | undefined {
  const json = draft.body?.encoding === 'utf-8' ? parseObject(draft.body.content) : undefined;
  if (!json) return unknownField(`body.${path}`);
  const problem = setPath(json, path, value);
  if (!problem) setBody(draft, json);
  return problem;
}

/** Returns a JSON object or list. */
function parseObject(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The same header or query parameter can occur more than once. The first occurrence is replaced and the others are removed.
 */
function withPair(pairs: readonly Pair[], name: string, value: string | undefined): Pair[] {
  const isSame = ([other]: Pair): boolean => other.toLowerCase() === name.toLowerCase();
  const at = pairs.findIndex(isSame);
  const others = pairs.filter((pair) => !isSame(pair));
  if (value === undefined) return others;
  return at === -1 ? [...others, [name, value]] : others.toSpliced(at, 0, [name, value]);
}

function targetOf(event: PlatformEvent): DraftTarget {
  return {
    installation: event.installationId,
    ...('siteId' in event && event.siteId !== undefined && { site: event.siteId }),
    ...(!('siteId' in event) &&
      'spaceId' in event &&
      event.spaceId !== undefined && { space: event.spaceId }),
  };
}

function partOf(url: string): { site?: string; space?: string } {
  const [, kind, id] = /[/]installations[/][^/]+[/](site|space)s[/]([^/?]+)/.exec(url) ?? [];
  return kind === undefined || id === undefined ? {} : { [kind]: id };
}

function splitOnce(text: string, mark: string): [before: string, after?: string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
