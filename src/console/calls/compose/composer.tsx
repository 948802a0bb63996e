import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../../../base/text/error-message.js';
import type { FieldProblem } from '../../../protocol/compose/request-problems.js';
import type { EventTypeResource } from '../../../contract/routes/events.js';
import type { PlatformResource } from '../../../contract/routes/overview.js';
import { hiddenSecret } from '../../../protocol/mask-secrets.js';
import { api, problemsOf } from '../../api/fetch-api.js';
import { useResource } from '../../live/use-resource.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Icon } from '../../ui/icon.js';
import { LoadingState } from '../../ui/messages/loading-state.js';
import { Segments } from '../../ui/segments.js';
import { emptyCall, readyRequest, type ComposedCall } from './composed-call.js';
import { EventForm } from './event-form.js';
import { isTooLargeToKeep, keepCall, keptCall } from './kept-call.js';
import { readyEvent } from './ready-event.js';
import { RequestForm } from './request-form.js';

interface ComposerProps {
  platform: PlatformResource;
  onClose: () => void;
  onSent: (call: string) => void;
}

/** Composes a request or an event, and sends it. */
export function Composer({ platform, onClose, onSent }: ComposerProps): JSX.Element {
  const [call, setCall] = useState(keptCall);
  const types = useEventTypes();
  const { busy, problems, error, submit } = useSend();
  const form = useRef<HTMLFormElement>(null);
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
      const sent = await sendCall(call, types.data ?? []);
      keepCall(undefined);
      onSent(sent);
    });
  };
  const isRequest = call.mode === 'request';
  return (
    <Dialog
      title={isRequest ? 'Send a request' : 'Send an event'}
      subtitle={isRequest ? "To a target's public endpoint" : 'To the script, as the platform sends it'}
      size="xlarge"
      onClose={onClose}
      footer={
        <>
          <Button
            onPress={() => {
              keepCall(undefined);
              setCall({ ...emptyCall, mode: call.mode });
            }}
          >
            Start over
          </Button>
          <span class="grow" />
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" icon="send" busy={busy} onPress={send}>
            Send
          </Button>
        </>
      }
    >
      <form
        ref={form}
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Segments
          label="What to send"
          value={call.mode}
          options={[
            { value: 'request', name: 'Request' },
            { value: 'event', name: 'Event' },
          ]}
          onChange={(mode) => change({ mode })}
        />
        <Notices call={call} error={types.error ?? error} />
        {/* Enter in a field sends: the visible button is in the footer. */}
        <button type="submit" hidden />
        <Fields platform={platform} call={call} types={types.data} problems={problems} onChange={change} />
      </form>
    </Dialog>
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

/** Requests are composed in a separate form. */
function useEventTypes(): { data?: EventTypeResource[]; error?: string } {
  const { data, error } = useResource(
    'event-types',
    () => api('GET /events'),
    ({ type }) => type === 'installation',
  );
  return {
    ...(data && { data: data.filter(({ type }) => type !== 'fetch') }),
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
          <div>Secrets in the recorded call are hidden. Replace {hiddenSecret} before you send the call.</div>
        </div>
      )}
      {isTooLargeToKeep(call) && (
        <div class="notice warn" role="note">
          <Icon name="warning" />
          <div>This draft is larger than 64 KiB, so it is not kept when you close the page.</div>
        </div>
      )}
    </>
  );
}

/** The invalid fields that prevent sending. */
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

/** The dialog shows all errors, each at its field. */
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
      work().catch((error: unknown) => {
        const problems = error instanceof WrongFields ? error.problems : problemsOf(error);
        const message = problems.length > 1 ? `${problems.length} fields are invalid.` : errorMessage(error);
        setState({ busy: false, problems, error: message });
      });
    },
  };
}

/** Returns the id of the call. */
async function sendCall(call: ComposedCall, types: readonly EventTypeResource[]): Promise<string> {
  if (call.mode === 'request') {
    const { input, problems } = readyRequest(call.request);
    if (problems.length > 0) throw new WrongFields(problems);
    return (await api('POST /requests', input)).call;
  }
  const event = readyEvent(call.event, types);
  if (!event) throw new Error('The event is not a JSON object.');
  const { fired } = await api('POST /events', event);
  if (fired.call === undefined) throw new Error(`The event was not sent: ${fired.outcome}.`);
  return fired.call;
}
