import type { CallMemory } from '../../protocol/log-and-outbound-types.js';
import { limitHeaders } from './limit-headers.js';
import { LONGEST_SENT, type Report } from './control-channel.js';
import type {
  DefinedIds,
  OutboundExchange,
  RequestParts,
  ScriptBackground,
  ScriptLog,
  ScriptOutbound,
  SentMessage,
} from '../script/script-host.js';

/**
 * Validates a message from the script's process and copies its known fields. The script can write to the same pipe, so the
 * message may contain anything. Returns undefined if the message is not a valid report.
 */
export function readReport(value: unknown): Report | undefined {
  if (!isObject(value)) return undefined;
  const { type } = value;
  switch (type) {
    case 'ready':
    case 'pong':
    case 'drained':
    case 'inspector-closed':
    case 'unblocked':
      return { type };
    case 'blocked': {
      const { callId, stack } = value;
      if (!isCallId(callId) || !isText(stack)) return undefined;
      return { type, callId, stack: stack.slice(0, LONGEST_SENT) };
    }
    case 'loaded': {
      if (value['ids'] === undefined) return { type };
      const ids = readIds(value['ids']);
      return ids && { type, ids };
    }
    case 'load-failed':
      return isText(value['text']) ? { type, text: value['text'] } : undefined;
    case 'log': {
      const entry = readLog(value['entry']);
      return entry && { type, entry };
    }
    case 'outbound': {
      const entry = readOutbound(value['entry']);
      return entry && { type, entry };
    }
    case 'disguise': {
      const { id, parts } = value;
      const read = readParts(parts);
      return isTime(id) && read ? { type, id, parts: read } : undefined;
    }
    case 'background': {
      const entry = readBackground(value['entry']);
      return entry && { type, entry };
    }
    default:
      return undefined;
  }
}

function readIds(ids: unknown): DefinedIds | undefined {
  if (!isObject(ids)) return undefined;
  const { components, contentSources, events, eventKeys } = ids;
  if (!isTexts(components) || !isTexts(contentSources)) return undefined;
  if (!isTexts(events) || !isTexts(eventKeys)) return undefined;
  return { components, contentSources, events, eventKeys };
}

const levels: ReadonlySet<unknown> = new Set<ScriptLog['level']>(['debug', 'info', 'warn', 'error']);

function readLog(entry: unknown): ScriptLog | undefined {
  if (!isObject(entry)) return undefined;
  const { callId, level, text, time } = entry;
  if (!isCallId(callId) || !levels.has(level) || !isText(text) || !isTime(time)) return undefined;
  return { callId, level: level as ScriptLog['level'], text, time };
}

function readOutbound(entry: unknown): ScriptOutbound | undefined {
  if (!isObject(entry)) return undefined;
  const { callId, method, url, status, error, durationMs, requestBytes, responseBytes, time, unread } = entry;
  const { number, refused, rerouted, code, aborted, finalUrl, stack } = entry;
  if (!isCallId(callId) || !isText(method) || !isText(url) || !isTime(time)) return undefined;
  if (!isTime(status) || !isTime(durationMs) || !isTime(requestBytes) || !isTime(responseBytes))
    return undefined;
  if (error !== undefined && !isText(error)) return undefined;
  const cut = (text: string): string => text.slice(0, LONGEST_SENT);
  const sizes = { status, durationMs, requestBytes, responseBytes, time };
  const exchange = readExchange(entry['exchange']);
  return {
    callId,
    ...(isTime(number) && { number }),
    method: cut(method),
    url: cut(url),
    ...sizes,
    ...(unread === true && { unread }),
    ...(error !== undefined && { error: cut(error) }),
    ...(isText(code) && { code: cut(code) }),
    ...(aborted === true && { aborted }),
    ...(isText(finalUrl) && { finalUrl: cut(finalUrl) }),
    ...(isText(rerouted) && { rerouted: cut(rerouted) }),
    ...(isText(refused) && { refused: cut(refused) }),
    ...(isText(stack) && { stack: cut(stack) }),
    ...(exchange && { exchange }),
  };
}

/** Maximum number of promises recorded per call. */
const MAX_BACKGROUND = 100;

export function readBackground(entry: unknown): ScriptBackground | undefined {
  if (!isObject(entry)) return undefined;
  const { callId, number, time, durationMs, error } = entry;
  if (!isCallId(callId) || !isTime(time) || !isTime(number) || !Number.isInteger(number)) return undefined;
  if (number < 0 || number >= MAX_BACKGROUND) return undefined;
  return {
    callId,
    number,
    time,
    ...(isTime(durationMs) && { durationMs }),
    ...(isText(error) && { error: error.slice(0, LONGEST_SENT) }),
  };
}

/** A script can forge this value, which is part of its responses. */
export function readMemory(value: unknown): CallMemory | undefined {
  if (!isObject(value)) return undefined;
  const { bytes, grown } = value;
  return isTime(bytes) ? { bytes, ...(isTime(grown) && { grown }) } : undefined;
}

function readExchange(value: unknown): OutboundExchange | undefined {
  if (!isObject(value)) return undefined;
  const request = readMessage(value['request']);
  const response = readMessage(value['response']);
  return request && { request, ...(response && { response }) };
}

function readParts(value: unknown): RequestParts | undefined {
  if (!isObject(value) || !isText(value['url']) || !Array.isArray(value['headers'])) return undefined;
  const { url, body } = value;
  return { url, headers: value['headers'].filter(isHeader), ...(isText(body) && { body }) };
}

function readMessage(value: unknown): SentMessage | undefined {
  if (!isObject(value) || !Array.isArray(value['headers'])) return undefined;
  const headers = limitHeaders(value['headers'].filter(isHeader));
  const { body, cut } = value;
  return { headers, ...(isText(body) && { body }), ...(cut === true && { cut }) };
}

const isHeader = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every(isText);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const isCallId = (value: unknown): value is string | undefined =>
  value === undefined || (isText(value) && value.length <= 64);

/** The largest time that `Date` supports, which is far larger than any size or duration. */
const LAST_TIME = 8.64e15;
const isTime = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= LAST_TIME;
