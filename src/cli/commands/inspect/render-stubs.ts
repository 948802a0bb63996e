import type { OutboundDetails } from '../../../contract/routes/calls.js';
import type { RecordedCall } from './render-call.js';
import { literal, quote, renderBytes } from './source-text.js';

/** Stubs that give a test the responses that the script got while it was recorded. */
export function renderStubs({ entry }: RecordedCall): { text: string; complete: boolean } {
  const apiEndpoint = entry.environment?.apiEndpoint;
  const outside = entry.outbound.filter(
    ({ url }) => apiEndpoint === undefined || !url.startsWith(apiEndpoint),
  );
  const responses = new Map<string, string[]>();
  for (const { method, url, status, response } of outside) {
    const address = `${method} ${url}`;
    responses.set(address, [...(responses.get(address) ?? []), renderResponse(status, response)]);
  }
  const stubs = [...responses].map(([address, list]) => {
    const value = list.length === 1 ? list[0] : `[${list.join(', ')}]`;
    return `  platform.stub(${quote(address)}, ${value});\n`;
  });
  const complete = outside.every(({ status, response }) => status === 0 || isComplete(response));
  return { text: stubs.join(''), complete };
}

type Recorded = OutboundDetails['response'];

const isComplete = (response: Recorded): boolean => response !== undefined && !response.body?.cut;

/** Headers that describe how the body was sent. */
const ofTransfer =
  /^(content-length|content-encoding|transfer-encoding|connection|keep-alive|date|set-cookie)$/i;

function renderResponse(status: number, response: Recorded): string {
  if (status === 0) return "() => Promise.reject(new TypeError('fetch failed'))";
  const kept = (response?.headers ?? []).filter(([name]) => !ofTransfer.test(name));
  const headers = kept.length > 0 ? `, headers: ${literal(Object.fromEntries(kept))}` : '';
  const { encoding = 'utf-8', content = '' } = response?.body ?? {};
  const body =
    [204, 205, 304].includes(status) || !response?.body
      ? 'null'
      : renderBytes(Buffer.from(content, encoding));
  return `new Response(${body}, { status: ${status}${headers} })`;
}
