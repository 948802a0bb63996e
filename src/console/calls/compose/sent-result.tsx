import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useCall } from '../../live/use-resource.js';
import { GoLink } from '../../shell/navigation.js';
import { formatDuration } from '../../text/format.js';
import { LoadingState } from '../../ui/messages/loading-state.js';
import { Status } from '../../ui/status.js';
import { Comparison } from '../detail/comparison.js';
import { CallBody } from '../detail/call-body.js';
import { CallVerdict } from '../detail/call-head.js';
import { outcomeWords } from '../detail/describe-call.js';

/** Shows the result of the call that was just sent, and how it differs from the result of the previous call. */
export function SentResult({ call, before }: { call: string; before: string | undefined }): JSX.Element {
  const { data } = useCall(call);
  const element = useRef<HTMLElement>(null);
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), []);
  const { response, durationMs } = data ?? {};
  const words = data && outcomeWords({ ...data, ...(response && { status: response.status }) });
  return (
    <section class="composer-result stack" ref={element} aria-label="Result">
      {data && words ? (
        <>
          <p class="row" role="status">
            <Status tone={words.tone}>{words.text}</Status>
            <span class="quiet number grow">{formatDuration(durationMs)}</span>
            <GoLink to={{ view: 'calls', call }} class="text-button">
              Open the call
            </GoLink>
          </p>
          <CallVerdict entry={data} />
          {response && <CallBody entry={data} which="response" />}
          {before !== undefined && (
            <>
              <h3 class="section-title">Compared with the previous call</h3>
              <Comparison before={before} after={call} />
            </>
          )}
        </>
      ) : (
        <LoadingState />
      )}
    </section>
  );
}
