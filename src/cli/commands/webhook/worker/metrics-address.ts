import { InvalidValue } from '../../../context/command.js';

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
