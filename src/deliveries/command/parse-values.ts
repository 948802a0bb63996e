import { readDuration } from '../../base/text/duration.js';
import { InvalidValue } from '../../cli/context/command.js';

/** The maximum size of a body. With larger bodies, the text of a database row might not fit in a JavaScript string. */
const largestBytes = 255 * 1024 ** 2;
const byteUnits = { '': 1, kb: 1024, mb: 1024 ** 2 } as const;

/** Parses `1s,2s,4s` into milliseconds. */
export function parseDelays(text: string): number[] {
  return text.split(',').map(parseDuration);
}

/** Parses `90s`, `5m`, `12h` or `30d` into milliseconds. */
export function parseDuration(text: string): number {
  const ms = readDuration(text.trim());
  if (!ms) throw new InvalidValue('It must be a number followed by ms, s, m, h or d, such as 90s.');
  return ms;
}

/** Parses `500000`, `512kb` or `2mb` into bytes. */
export function parseBytes(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,9})(kb|mb)?$/i.exec(text.trim()) ?? [];
  const bytes = Number(count) * byteUnits[unit.toLowerCase() as keyof typeof byteUnits];
  if (count === '' || bytes === 0 || bytes > largestBytes)
    throw new InvalidValue('It must be a size in bytes, kb or mb, such as 512kb, and at most 255mb.');
  return bytes;
}

export function parseUrl(text: string): string {
  if (!/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : ''))
    throw new InvalidValue('It must be an http or https URL.');
  return text;
}

export interface MetricsAddress {
  host: string;
  port: number;
}

/** Parses `127.0.0.1:9464`, `[::1]:9464`, or just a port on 127.0.0.1. */
export function parseMetricsAddress(text: string): MetricsAddress {
  const [, host = '', digits = ''] = /^(?:(\[[\da-f:.]+\]|[^\s:[\]]*):)?(\d{1,5})$/i.exec(text) ?? [];
  if (digits === '' || Number(digits) > 65_535) {
    throw new InvalidValue('It must be a host and a port, such as 127.0.0.1:9464.');
  }
  return { host: host.replace(/^\[|\]$/g, '') || '127.0.0.1', port: Number(digits) };
}
