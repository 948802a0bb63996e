import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AttemptResource, DeliveryResource } from '../../contract/routes/webhooks.js';
import { Status, type Tone } from '../ui/status.js';
import { bodyText } from '../text/readable-body.js';
import { showControls } from '../text/show-controls.js';
import { formatDuration, formatTimeExact } from '../text/format.js';

interface AttemptLineProps {
  delivery: DeliveryResource;
  attempts: readonly AttemptResource[];
}

/** The requests of one delivery in order, with the waits between them. */
export function AttemptLine({ delivery, attempts }: AttemptLineProps): JSX.Element {
  return (
    <ol class="attempts">
      {attempts.map((attempt, index) => {
        const before = attempts[index - 1];
        const waited = before ? attempt.startedAt - (before.startedAt + before.durationMs) : undefined;
        const { tone, text } = resultWords(attempt);
        return (
          <li key={attempt.number} class={`attempt ${tone}${waited === undefined ? '' : ' later'}`}>
            {waited !== undefined && (
              <p class="attempt-wait quiet small number">after {formatDuration(waited)}</p>
            )}
            <div class="attempt-head">
              <strong>Attempt {attempt.number}</strong>
              <Status tone={tone}>{text}</Status>
              <span class="quiet small number">{formatDuration(attempt.durationMs)}</span>
              <span class="quiet small number">{formatTimeExact(attempt.startedAt)}</span>
            </div>
            <Answer attempt={attempt} />
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

function Answer({ attempt: { result } }: { attempt: AttemptResource }): JSX.Element | null {
  if (result.kind === 'error')
    return <p class="attempt-answer field-error">{showControls(result.message)}</p>;
  if (result.kind === 'interrupted')
    return <p class="attempt-answer quiet">The platform stopped before an answer was known.</p>;
  const text = bodyText(result.body);
  return text === '' ? null : <pre class="attempt-answer">{showControls(text)}</pre>;
}

function NextAttempt({ delivery }: { delivery: DeliveryResource }): JSX.Element {
  const left = useSecondsUntil(delivery.dueAt);
  if (delivery.phase !== 'waiting') return <p class="number">Being sent now…</p>;
  return (
    <p class="number" role="timer">
      {left === undefined || left <= 0 ? 'Due now' : `Next attempt in ${left.toFixed(1)} s`}
    </p>
  );
}

function useSecondsUntil(time: number | undefined): number | undefined {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (time === undefined) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, [time]);
  return time === undefined ? undefined : (time - now) / 1000;
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
