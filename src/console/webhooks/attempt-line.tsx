import type { JSX } from 'preact';
import { webhookCurl } from '../../base/text/curl-command.js';
import { describeResult } from '../../base/text/delivery-reason.js';
import type { AttemptResource, DeliveryResource } from '../../contract/routes/webhooks.js';
import { api } from '../api/fetch-api.js';
import { CopyButton } from '../ui/copy-button.js';
import { Facts } from '../ui/facts.js';
import { useNow } from '../ui/state/use-now.js';
import { Status } from '../ui/status.js';
import type { Tone } from '../ui/tone.js';
import { Breakable } from '../text/breakable.js';
import { bodyText } from '../text/readable-body.js';
import { showControls } from '../text/show-controls.js';
import { formatDuration, formatTimeExact } from '../text/format.js';

interface AttemptLineProps {
  delivery: DeliveryResource;
  attempts: readonly AttemptResource[];
  /** Whether the endpoint still exists, so that its secret can be used to sign the request. */
  canSign: boolean;
}

export function AttemptLine({ delivery, attempts, canSign }: AttemptLineProps): JSX.Element {
  return (
    <ol>
      {attempts.map((attempt, index) => {
        const before = attempts[index - 1];
        const waited = before ? attempt.startedAt - (before.startedAt + before.durationMs) : undefined;
        const { tone, text } = resultWords(attempt);
        return (
          <li key={attempt.number} class={`attempt ${tone}${waited === undefined ? '' : ' later'}`}>
            {waited !== undefined && <p class="quiet small number">after {formatDuration(waited)}</p>}
            <div class="row">
              <strong>Attempt {attempt.number}</strong>
              <Status tone={tone}>{text}</Status>
              <span class="quiet small number">{formatDuration(attempt.durationMs)}</span>
              <span class="quiet small number">{formatTimeExact(attempt.startedAt)}</span>
            </div>
            <Response attempt={attempt} />
            {attempt.request && <SentRequest id={delivery.id} sent={attempt.request} canSign={canSign} />}
          </li>
        );
      })}
      {delivery.phase !== 'done' && (
        <li class="attempt next">
          <NextAttempt delivery={delivery} />
        </li>
      )}
    </ol>
  );
}

function Response({ attempt: { result } }: { attempt: AttemptResource }): JSX.Element {
  if (result.kind !== 'answer')
    return <p class="attempt-response field-error">{showControls(describeResult(result))}</p>;
  const text = bodyText(result.body);
  return text === '' ? (
    <p class="quiet small">The response has no body.</p>
  ) : (
    <pre class="attempt-response">{showControls(text)}</pre>
  );
}

interface SentRequestProps {
  id: string;
  sent: NonNullable<AttemptResource['request']>;
  canSign: boolean;
}

function SentRequest({ id, sent, canSign }: SentRequestProps): JSX.Element {
  // Receivers reject signatures older than five minutes, so the copied command contains a new one.
  const curl = async (): Promise<string> =>
    webhookCurl({
      ...(await api('GET /deliveries/{delivery}/signed-request', { delivery: id })),
      url: sent.url,
    });
  return (
    <details class="attempt-request">
      <summary>
        POST{' '}
        <span class="mono wrap-anywhere">
          <Breakable text={sent.url} />
        </span>
      </summary>
      <div class="stack tight">
        <Facts facts={sent.headers} />
        {canSign ? (
          <div class="row">
            <CopyButton text={curl} label="Copy as curl" showLabel />
            <span class="quiet small">Signed when you copy it, and valid for five minutes.</span>
          </div>
        ) : (
          <p class="quiet small">The endpoint was removed, so the request can't be signed again.</p>
        )}
      </div>
    </details>
  );
}

function NextAttempt({ delivery }: { delivery: DeliveryResource }): JSX.Element {
  const { phase, dueAt } = delivery;
  const now = useNow(dueAt === undefined ? undefined : 100);
  if (phase !== 'waiting') return <p class="number">Sending…</p>;
  return (
    <p class="number" role="timer">
      {dueAt === undefined || dueAt <= now
        ? 'Due now'
        : `Next attempt in ${((dueAt - now) / 1000).toFixed(1)} s`}
    </p>
  );
}

function resultWords({ result }: AttemptResource): { tone: Tone; text: string } {
  switch (result.kind) {
    case 'answer':
      return {
        tone: result.status >= 200 && result.status < 300 ? 'ok' : 'bad',
        text: String(result.status),
      };
    case 'error':
      return { tone: 'bad', text: result.error };
    case 'interrupted':
      return { tone: 'calm', text: 'interrupted' };
  }
}
