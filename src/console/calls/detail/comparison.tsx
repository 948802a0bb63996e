import type { JSX } from 'preact';
import { responseText, sameResponse, type ComparableResponse } from '../../../base/text/compare-responses.js';
import type { CallRecord } from '../../../contract/routes/calls.js';
import { useCall } from '../../live/use-resource.js';
import { DiffView } from '../../text/diff-view.js';
import { formatDuration } from '../../text/format.js';
import { showControls } from '../../text/show-controls.js';
import { LoadingState } from '../../ui/messages/loading-state.js';
import { CallLink } from './call-link.js';
import { useCallBody } from './use-call-body.js';

/** Compares two calls side by side: their status, time, outbound requests, and the differences between their responses. */
export function Comparison({ before, after }: { before: string; after: string }): JSX.Element {
  const { data: one, error } = useCall(before);
  const { data: other } = useCall(after);
  const oneBody = useCallBody(one, 'response').bytes;
  const otherBody = useCallBody(other, 'response').bytes;
  if (error !== undefined) return <p class="quiet">{before} is no longer recorded.</p>;
  if (!one || !other || (one.response && !oneBody) || (other.response && !otherBody)) return <LoadingState />;
  const responses = [comparable(one, oneBody), comparable(other, otherBody)] as const;
  return (
    <div class="stack">
      <table class="comparison number">
        <thead>
          <tr>
            <td />
            {[one, other].map(({ id }, index) => (
              <th key={id} scope="col">
                {index === 0 ? 'Before' : 'Now'} <CallLink call={id} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(one, other).map(([name, left, right], index) => (
            <tr key={index} class={left === right ? '' : 'changed'}>
              <th scope="row" class="wrap-anywhere">
                {showControls(name)}
              </th>
              <td>{left}</td>
              <td>{right}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {sameResponse(...responses) ? (
        <p class="quiet">The responses are the same.</p>
      ) : (
        <DiffView
          before={responseText(responses[0])}
          after={responseText(responses[1])}
          label="Differences between the responses"
        />
      )}
    </div>
  );
}

type Row = readonly [name: string, before: string, after: string];

function rowsOf(before: CallRecord, after: CallRecord): Row[] {
  const row = (name: string, read: (call: CallRecord) => string): Row => [name, read(before), read(after)];
  return [
    row('Version', ({ version }) => `v${version}`),
    row('Status', ({ response, outcome }) => String(response?.status ?? outcome)),
    row('Time', ({ durationMs }) => formatDuration(durationMs)),
    row('Outbound requests', ({ outbound }) => String(outbound.length)),
    ...outboundRows(before, after),
  ];
}

const mostOutbound = 20;

/**
 * Pairs the requests of the two calls: the n-th request to a URL in one call with the n-th request to the same URL in the
 * other.
 */
function outboundRows(...calls: [CallRecord, CallRecord]): Row[] {
  const [before, after] = calls.map(({ outbound }) => {
    const times = new Map<string, number>();
    return new Map(
      outbound.map(({ method, url, status, error, durationMs }) => {
        const name = `${method} ${url}`;
        const time = (times.get(name) ?? 0) + 1;
        times.set(name, time);
        const text = `${status || (error ?? 'no response')}, ${formatDuration(durationMs)}`;
        return [time === 1 ? name : `${name} (${time})`, text] as const;
      }),
    );
  });
  const names = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])];
  return names
    .slice(0, mostOutbound)
    .map((name) => [name, before?.get(name) ?? 'not sent', after?.get(name) ?? 'not sent']);
}

function comparable({ response }: CallRecord, bytes: Uint8Array = new Uint8Array()): ComparableResponse {
  const { status = 0, headers = [] } = response ?? {};
  return { status, headers, body: readBody(bytes) };
}

function readBody(bytes: Uint8Array): ComparableResponse['body'] {
  try {
    return { encoding: 'utf-8', content: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    const binary = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('');
    return { encoding: 'base64', content: btoa(binary) };
  }
}
