import type { JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../../../base/text/error-message.js';
import type { FieldProblem } from '../../../protocol/compose/request-problems.js';
import type { EventTypeResource } from '../../../contract/routes/events.js';
import type { PlatformResource } from '../../../contract/routes/overview.js';
import { hiddenSecret } from '../../../protocol/mask-secrets.js';
import { api, problemsOf } from '../../api/fetch-api.js';
import { Keys } from '../../shell/keys.js';
import { useShortcut } from '../../shell/shortcuts.js';
import { useResource, useCall } from '../../live/use-resource.js';
import { Button } from '../../ui/button.js';
import { Icon } from '../../ui/icon.js';
import { LoadingState } from '../../ui/messages/loading-state.js';
import { Segments } from '../../ui/segments.js';
import { emptyCall, readyRequest, type ComposedCall } from './composed-call.js';
import { EventForm } from './event-form.js';
import { isTooLargeToKeep, keepCall, keptCall } from './kept-call.js';
import { readyEvent } from './ready-event.js';
import { RequestForm } from './request-form.js';
import { SavedCalls } from './saved-calls.js';
import { GoLink } from '../../shell/navigation.js';
import { formatDuration } from '../../text/format.js';
import { Status } from '../../ui/status.js';
import { Comparison } from '../detail/comparison.js';
import { CallBody } from '../detail/call-body.js';
import { CallVerdict } from '../detail/call-head.js';
import { outcomeWords } from '../detail/describe-call.js';
import { LogLines } from '../detail/log-lines.js';

interface ComposerProps {
  platform: PlatformResource;
  /** The recorded call that is being edited. */
  from: string | undefined;
  onClose: () => void;
}

export function Composer({ platform, from, onClose }: ComposerProps): JSX.Element {
  const [call, setCall] = useState(keptCall);
  const [sent, setSent] = useState<Sent & { before: string | undefined }>();
  const types = useEventTypes();
  const { busy, problems, error, submit } = useSend();
  const form = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const first = ['.request-line input', 'button'].map((one) =>
      form.current?.querySelector<HTMLElement>(one),
    );
    first.find(Boolean)?.focus();
  }, []);
  useEffect(() => {
    if (problems.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [problems]);
  const change = (part: Partial<ComposedCall>): void => {
    const next = { ...call, ...part };
    setCall(next);
    keepCall(next);
  };
  const send = (): void => {
    if (busy) return;
    submit(async () => {
      const next = await sendCall(call, types.data ?? [], from);
      setSent((last) => ({ ...next, before: last?.call ?? from }));
    });
  };
  useShortcut('mod+Enter', send);
  useShortcut('Escape', onClose);
  const isRequest = call.mode === 'request';
  return (
    <div class="composer-box">
      <section class="composer" aria-labelledby={id}>
        <header class="bar composer-head">
          <div class="grow">
            <h2 id={id}>{isRequest ? 'Send a request' : 'Send an event'}</h2>
            <p class="quiet small">
              {isRequest
                ? "To a target's public endpoint"
                : 'To the script, in the format that the platform uses'}
            </p>
          </div>
          <Button kind="quiet" icon="cross" label="Close (Escape)" onPress={onClose} />
        </header>
        <div class="composer-form" ref={form}>
          <div class="row composer-top">
            <Segments
              label="What to send"
              value={call.mode}
              options={[
                { value: 'request', name: 'Request' },
                { value: 'event', name: 'Event' },
              ]}
              onChange={(mode) => change({ mode })}
            />
            <SavedCalls call={call} onOpen={change} />
          </div>
          <form
            class="stack"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              send();
            }}
          >
            <Notices call={call} error={types.error ?? error} />
            {/* Lets Enter in a field submit the form. The visible button is below, outside the form. */}
            <button type="submit" hidden />
            <Fields
              platform={platform}
              call={call}
              types={types.data}
              problems={problems}
              onChange={change}
            />
          </form>
        </div>
        <footer class="row composer-foot">
          <Button
            onPress={() => {
              keepCall(undefined);
              setCall({ ...emptyCall, mode: call.mode });
            }}
          >
            Start over
          </Button>
          <span class="grow" />
          <Keys keys="mod+Enter" />
          <Button kind="primary" icon="send" busy={busy} onPress={send}>
            {sent ? 'Send again' : 'Send'}
          </Button>
        </footer>
        {sent && <SentResult key={sent.call} {...sent} />}
      </section>
    </div>
  );
}

interface FieldsProps {
  platform: PlatformResource;
  call: ComposedCall;
  types: readonly EventTypeResource[] | undefined;
  problems: readonly FieldProblem[];
  onChange: (part: Partial<ComposedCall>) => void;
}

function Fields({ platform, call, types, problems, onChange }: FieldsProps): JSX.Element {
  if (call.mode === 'request') {
    return (
      <RequestForm
        platform={platform}
        request={call.request}
        problems={problems}
        onChange={(request) => onChange({ request })}
      />
    );
  }
  if (!types) return <LoadingState />;
  return (
    <EventForm
      platform={platform}
      types={types}
      event={call.event}
      problems={problems}
      onChange={(event) => onChange({ event })}
    />
  );
}

function useEventTypes(): { data?: EventTypeResource[]; error?: string } {
  const { data, error } = useResource(
    'event-types',
    () => api('GET /events'),
    ({ type }) => type === 'installation' || type === 'reloaded',
  );
  return {
    ...(data && {
      data: data
        .filter(({ type }) => type !== 'fetch')
        .sort((one, other) => Number(other.handled ?? false) - Number(one.handled ?? false)),
    }),
    ...(error !== undefined && { error }),
  };
}

function Notices({ call, error }: { call: ComposedCall; error: string | undefined }): JSX.Element {
  return (
    <>
      {error !== undefined && (
        <div class="notice bad" role="alert">
          <Icon name="error" />
          <div>{error}</div>
        </div>
      )}
      {JSON.stringify(call[call.mode]).includes(hiddenSecret) && (
        <div class="notice warn" role="note">
          <Icon name="warning" />
          <div>Secrets in the recorded call are masked. Replace {hiddenSecret} before you send the call.</div>
        </div>
      )}
      {isTooLargeToKeep(call) && (
        <div class="notice warn" role="note">
          <Icon name="warning" />
          <div>This draft is larger than 64 KiB, so it is lost when you close the page.</div>
        </div>
      )}
    </>
  );
}

class WrongFields extends Error {
  readonly problems: readonly FieldProblem[];
  constructor(problems: readonly FieldProblem[]) {
    super(problems[0]?.message);
    this.problems = problems;
  }
}

interface Sending {
  busy: boolean;
  problems: readonly FieldProblem[];
  error: string | undefined;
  submit: (work: () => Promise<void>) => void;
}

/** Sends the call. If sending fails, shows each error next to its field. */
function useSend(): Sending {
  const [state, setState] = useState<Omit<Sending, 'submit'>>({
    busy: false,
    problems: [],
    error: undefined,
  });
  return {
    ...state,
    submit(work) {
      setState({ busy: true, problems: [], error: undefined });
      const done = (): void => setState({ busy: false, problems: [], error: undefined });
      work().then(done, (error: unknown) => {
        const problems = error instanceof WrongFields ? error.problems : problemsOf(error);
        const message = problems.length > 1 ? `${problems.length} fields are invalid.` : errorMessage(error);
        setState({ busy: false, problems, error: message });
      });
    },
  };
}

interface Sent {
  call: string;
  /** What happened to the signature of the recorded call. */
  signature?: string;
}

async function sendCall(
  call: ComposedCall,
  types: readonly EventTypeResource[],
  from: string | undefined,
): Promise<Sent> {
  if (call.mode === 'request') {
    const { input, problems } = readyRequest(call.request);
    if (problems.length > 0) throw new WrongFields(problems);
    return api('POST /requests', { ...input, ...(from !== undefined && { from }) });
  }
  const event = readyEvent(call.event, types);
  if (!event) throw new Error("The event isn't a JSON object.");
  const { fired } = await api('POST /events', event);
  if (fired.call === undefined) throw new Error(`The event wasn't sent: ${fired.outcome}.`);
  return { call: fired.call };
}

function SentResult({ call, signature, before }: Sent & { before: string | undefined }): JSX.Element {
  const { data } = useCall(call);
  const element = useRef<HTMLElement>(null);
  useEffect(() => element.current?.scrollIntoView({ block: 'start' }), []);
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
          {signature !== undefined && <p class="quiet small">{signature}</p>}
          <CallVerdict entry={data} />
          {before !== undefined && (
            <>
              <h3 class="bar section-title">Compared with the previous call</h3>
              <Comparison before={before} after={call} />
            </>
          )}
          {response && <CallBody entry={data} which="response" />}
          {data.logs.length > 0 && (
            <section>
              <h3 class="bar section-title">Logs</h3>
              <LogLines lines={data.logs} since={data.time} />
            </section>
          )}
        </>
      ) : (
        <LoadingState />
      )}
    </section>
  );
}
