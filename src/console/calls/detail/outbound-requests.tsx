import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { errorMessage } from '../../../base/text/error-message.js';
import { formatBytes } from '../../../base/text/format-bytes.js';
import type { OutboundDetails } from '../../../contract/basics/outbound.js';
import type { CallRecord } from '../../../contract/routes/calls.js';
import type { OutboundCall } from '../../../protocol/log-and-outbound-types.js';
import { api } from '../../api/fetch-api.js';
import { LoadingState } from '../../ui/messages/loading-state.js';
import { Status } from '../../ui/status.js';
import { statusTone } from '../../ui/tone.js';
import { formatDuration } from '../../text/format.js';
import { showControls } from '../../text/show-controls.js';
import { BodyView } from './body-view.js';
import { HeadersTable } from './headers-table.js';

interface OutboundProps {
  entry: CallRecord;
  open: number | undefined;
  onOpen: (number: number | undefined) => void;
}

export function OutboundRequests({ entry, open, onOpen }: OutboundProps): JSX.Element {
  return (
    <ul class="rows outbound">
      {entry.outbound.map((request, number) => (
        <li key={number}>
          <details open={open === number}>
            <summary
              class="bar align-start"
              onClick={(event) => {
                event.preventDefault();
                onOpen(open === number ? undefined : number);
              }}
            >
              <OutboundLine request={request} />
            </summary>
            {open === number && <Details call={entry.id} request={request} number={number} />}
          </details>
        </li>
      ))}
    </ul>
  );
}

function OutboundLine({ request }: { request: OutboundCall }): JSX.Element {
  const { method, url, status, error, aborted, finalUrl, durationMs } = request;
  const { requestBytes, responseBytes, unread, rerouted, at } = request;
  const received = unread ? "the response wasn't read" : `received ${formatBytes(responseBytes)}`;
  return (
    <>
      <Status tone={status === 0 ? 'bad' : statusTone(status)}>
        {status === 0 ? (aborted ? 'Aborted' : 'No response') : String(status)}
      </Status>
      <span class="grow">
        <span class="mono wrap-anywhere block">
          <strong>{method}</strong> {showControls(url)}
        </span>
        {finalUrl !== undefined && (
          <span class="quiet small wrap-anywhere block">Redirected to {showControls(finalUrl)}</span>
        )}
        {rerouted !== undefined && (
          <span class="quiet small block">
            <code>outbound</code> in <code>platform.dev.yaml</code>: {rerouted}
          </span>
        )}
        {error !== undefined && <span class="field-error block">{showControls(error)}</span>}
        <span class="quiet small number block">
          {formatDuration(durationMs)} · sent {formatBytes(requestBytes)}
          {status !== 0 && ` · ${received}`}
          {at && ` · ${at.file}:${at.line}`}
        </span>
      </span>
    </>
  );
}

interface DetailsProps {
  call: string;
  request: OutboundCall;
  number: number;
}

function Details({ call, request, number }: DetailsProps): JSX.Element {
  const { details: recorded } = request;
  const [details, setDetails] = useState<OutboundDetails>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    if (recorded === undefined) return undefined;
    let gone = false;
    api('GET /calls/{call}/outbound/{number}', { call, number: recorded }).then(
      (found) => !gone && setDetails(found),
      (failure: unknown) => !gone && setError(errorMessage(failure)),
    );
    return () => {
      gone = true;
    };
  }, [call, recorded]);
  if (recorded === undefined)
    return (
      <p class="quiet">
        Headers and bodies weren't recorded: <code>recordOutboundDetails</code> in{' '}
        <code>platform.dev.yaml</code> is <code>false</code>, or the recording limit was reached.
      </p>
    );
  if (error !== undefined) return <p class="field-error">{error}</p>;
  if (!details) return <LoadingState />;
  const file = `${call}-outbound-${number}`;
  return (
    <div class="stack outbound-details">
      <Message title="Request" message={details.request} file={`${file}-request`} />
      {details.response && (
        <Message
          title={`Response ${request.status}`}
          message={details.response}
          file={`${file}-response`}
          {...(request.unread && { without: "The script didn't read the body." })}
        />
      )}
    </div>
  );
}

interface MessageProps {
  title: string;
  message: OutboundDetails['request'];
  file: string;
  /** Why the body is not shown. Set only if there may have been a body. */
  without?: string;
}

function Message({ title, message, file, without = 'No body.' }: MessageProps): JSX.Element {
  const { headers, body } = message;
  if (headers.length === 0 && !body) {
    return (
      <p class="quiet">
        {title}: no headers. {without}
      </p>
    );
  }
  return (
    <section class="stack">
      <h3 class="bar section-title">{title}</h3>
      {body ? (
        <BodyView bytes={bytesOf(body)} label={`${title} body`} fileName={file} />
      ) : (
        <p class="quiet">{without}</p>
      )}
      {body?.cut && <p class="quiet small">Only the beginning of the body was recorded.</p>}
      <HeadersTable headers={headers} label={`${title} headers`} />
    </section>
  );
}

const bytesOf = ({ encoding, content }: NonNullable<OutboundDetails['request']['body']>): Uint8Array =>
  encoding === 'utf-8'
    ? new TextEncoder().encode(content)
    : Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
