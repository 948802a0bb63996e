import type { OutboundDetails, CallRecord } from '../../../contract/routes/calls.js';
import type { Style } from '../../../terminal/style.js';
import { renderBytes } from './render-bytes.js';

/** An outbound request, with its headers and bodies if they were recorded. */
export type RecordedOutbound = Omit<CallRecord['outbound'][number], 'details'> & Partial<OutboundDetails>;

export function renderOutbound(sent: RecordedOutbound, style: Style): string[] {
  const { method, url, status, error, durationMs, request, response, unread } = sent;
  return [
    `  ${method} ${url}  ${error === undefined ? status : style.red(error)}  ${Math.round(durationMs)} ms`,
    ...(request ? renderMessage('request', request, style) : []),
    ...(response ? renderMessage('response', response, style) : []),
    ...(unread ? [`    ${style.dim('The script did not read the body of the response.')}`] : []),
  ];
}

function renderMessage(name: string, { headers, body }: OutboundDetails['request'], style: Style): string[] {
  if (headers.length === 0 && !body) return [];
  return [
    `    ${style.dim(name)}`,
    ...headers.map(([header, value]) => `      ${style.dim(`${header}:`)} ${value}`),
    ...(body ? renderBytes(Buffer.from(body.content, body.encoding)).map((line) => `      ${line}`) : []),
    ...(body?.cut ? [`      ${style.dim('Only the first 64 KiB were recorded.')}`] : []),
  ];
}
