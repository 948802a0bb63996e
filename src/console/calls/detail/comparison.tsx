import type { JSX } from 'preact';
import { responseText, sameResponse, type ComparableResponse } from '../../../base/text/compare-responses.js';
import type { CallRecord } from '../../../contract/routes/calls.js';
import { Breakable } from '../../text/breakable.js';
import { useCall } from '../../live/use-resource.js';
import { DiffView } from '../../text/diff-view.js';
import { formatDuration, formatTime } from '../../text/format.js';
import { Icon, type IconName } from '../../ui/icon.js';
import type { Tone } from '../../ui/tone.js';
import { LoadingState } from '../../ui/messages/loading-state.js';
import { GoLink } from '../../shell/navigation.js';
import { CallBody } from './call-body.js';
import { judgeComparison } from './comparison-verdict.js';
import { useCallBody } from './use-call-body.js';

interface ComparisonProps {
  before: string;
  after: string;
  /** Whether to show the response body even if it is the same in both calls. */
  showBody?: boolean;
}

export function Comparison({ before, after, showBody = false }: ComparisonProps): JSX.Element {
  const { data: one, error } = useCall(before);
  const { data: other } = useCall(after);
  const oneBody = useCallBody(one, 'response').bytes;
  const otherBody = useCallBody(other, 'response').bytes;
  if (error !== undefined) return <p class="quiet">{before} is no longer recorded.</p>;
  if (!one || !other || (one.response && !oneBody) || (other.response && !otherBody)) return <LoadingState />;
  const responses = [comparable(one, oneBody), comparable(other, otherBody)] as const;
  const same = sameResponse(...responses);
  const { tone, title, text } = judgeComparison(one, other, same);
  return (
    <div class="stack">
      <div class={`notice ${tone}`} role="status">
        <Icon name={icons[tone]} />
        <div>
          <p>
            <strong>{title}</strong>
          </p>
          <p>{text}</p>
        </div>
      </div>
      <table class="comparison number">
        <thead>
          <tr>
            <td />
            {[one, other].map(({ id, time }, index) => (
              <th key={id} scope="col">
                {index === 0 ? 'Before' : 'Now'}{' '}
                <GoLink to={{ view: 'calls', call: id }} class="text-button" label={id}>
                  {formatTime(time)}
                </GoLink>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(one, other).map(({ name, cells, added }, index) => (
            <tr key={index} class={cells[0].text === cells[1].text ? '' : 'changed'}>
              <th scope="row" class="wrap-anywhere">
                <Breakable text={name.replace(/^(\w+ )https?:\/\//, '$1')} />
              </th>
              {cells.map(({ text: cell, time }, side) => (
                <td key={side}>
                  {cell !== '' && <span class="figure">{cell}</span>}
                  {cell !== '' && time !== undefined && ', '}
                  {time} {side === 1 && added !== undefined && <span class="quiet nowrap">{added}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {!same ? (
        <DiffView
          before={responseText(responses[0])}
          after={responseText(responses[1])}
          label="Differences between the responses"
        />
      ) : (
        showBody &&
        other.response && (
          <section>
            <h3 class="bar section-title">Response, both times</h3>
            <CallBody entry={other} which="response" />
          </section>
        )
      )}
    </div>
  );
}

const icons: Record<Tone, IconName> = {
  ok: 'check-circle',
  warn: 'warning',
  bad: 'error',
  info: 'info',
  calm: 'info',
};

/** The text to compare, and the duration, which is not compared because it always differs. */
interface Cell {
  text: string;
  time?: string;
}

interface Row {
  name: string;
  cells: [before: Cell, after: Cell];
  /** How much longer the second call took, such as `+4 ms`. */
  added?: string;
}

function rowsOf(before: CallRecord, after: CallRecord): Row[] {
  const row = (name: string, read: (call: CallRecord) => string): Row => ({
    name,
    cells: [{ text: read(before) }, { text: read(after) }],
  });
  return [
    row('Version', ({ version }) => `v${version}`),
    row('Status', ({ response, outcome }) => String(response?.status ?? outcome)),
    timedRow('Time', before, after, () => ''),
    row('Outbound requests', ({ outbound }) => String(outbound.length)),
    ...outboundRows(before, after),
  ];
}

interface Timed {
  durationMs?: number | undefined;
}

function timedRow<Work extends Timed>(
  name: string,
  before: Work | undefined,
  after: Work | undefined,
  read: (work: Work) => string,
): Row {
  const cell = (work: Work | undefined): Cell =>
    work ? { text: read(work), time: formatDuration(work.durationMs) } : { text: 'not sent' };
  const added = (after?.durationMs ?? Number.NaN) - (before?.durationMs ?? Number.NaN);
  return {
    name,
    cells: [cell(before), cell(after)],
    ...(Math.abs(added) >= 1 && { added: `${added > 0 ? '+' : '−'}${formatDuration(Math.abs(added))}` }),
  };
}

const mostOutbound = 20;

/**
 * Pairs the requests of two calls: the nth request to a URL in one call with the nth request to the same URL in the other.
 */
function outboundRows(...calls: [CallRecord, CallRecord]): Row[] {
  const [before, after] = calls.map(({ outbound }) => {
    const times = new Map<string, number>();
    return new Map(
      outbound.map((request) => {
        const name = `${request.method} ${request.url}`;
        const time = (times.get(name) ?? 0) + 1;
        times.set(name, time);
        return [time === 1 ? name : `${name} (${time})`, request] as const;
      }),
    );
  });
  const names = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])];
  return names
    .slice(0, mostOutbound)
    .map((name) =>
      timedRow(name, before?.get(name), after?.get(name), ({ status, error }) =>
        String(status || (error ?? 'no response')),
      ),
    );
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
