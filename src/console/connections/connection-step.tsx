import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Connection, ConnectionStep } from '../../contract/routes/connections.js';
import { GoLink } from '../shell/navigation.js';
import { formatDuration } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { Icon } from '../ui/icon.js';
import { FailureSource } from '../text/code/failure.js';
import { SourceLink } from '../text/source-link.js';
import { Status } from '../ui/status.js';
import type { Tone } from '../ui/tone.js';

export function ConnectionStepView({
  title: name,
  step,
}: {
  title: string;
  step: ConnectionStep;
}): JSX.Element {
  const [open, setOpen] = useState(step.state === 'failed');
  const { text, tone } = states[step.state];
  const title = (
    <>
      <span class="grow wrap-anywhere">
        {name}
        {step.verdict !== undefined && <span class="quiet">: {showControls(step.verdict)}</span>}
      </span>
      <Status tone={tone}>{text}</Status>
      <span class="number quiet connection-step-time">{formatDuration(step.durationMs)}</span>
    </>
  );
  return (
    <li class={`connection-step ${step.state}`}>
      {step.state === 'not-reached' ? (
        <p class="bar connection-step-head">{title}</p>
      ) : (
        <button
          type="button"
          class="bar pick connection-step-head"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? 'down' : 'right'} size={12} />
          {title}
        </button>
      )}
      {step.failure && <Where failure={step.failure} />}
      {step.hint !== undefined && step.state !== 'failed' && <p class="small">{step.hint}</p>}
      {open && <Details step={step} />}
    </li>
  );
}

/** The failed line. The error itself is in the notice above the steps. */
function Where({ failure }: { failure: NonNullable<ConnectionStep['failure']> }): JSX.Element {
  const { message, file, line, column } = failure;
  return (
    <div class="stack tight connection-failure">
      <p class="small wrap-anywhere">
        {showControls(message)}
        {file !== undefined && (
          <>
            {' '}
            <SourceLink file={file} line={line} column={column} />
          </>
        )}
      </p>
      <FailureSource failure={failure} />
    </div>
  );
}

function Details({ step: { sent, received, call } }: { step: ConnectionStep }): JSX.Element {
  return (
    <div class="stack tight connection-details">
      <Part title="Sent" facts={sent} />
      <Part title="Received" facts={received} />
      {call !== undefined && (
        <p>
          <GoLink to={{ view: 'calls', call }}>View the call</GoLink>
        </p>
      )}
    </div>
  );
}

function Part({ title, facts }: { title: string; facts: ConnectionStep['sent'] }): JSX.Element | null {
  if (facts.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <dl class="fact-lines small">
        {facts.map(({ name, value }) => (
          <>
            <dt>{name}</dt>
            <dd class="mono">{showControls(value)}</dd>
          </>
        ))}
      </dl>
    </div>
  );
}

const stepTitles: Record<ConnectionStep['name'], string> = {
  authorize: 'Authorize',
  consent: 'Consent',
  return: 'Return trip',
  exchange: 'Token exchange',
  extract: 'extractCredentials',
  store: 'Stored',
};

export const stepTitle = ({ name }: ConnectionStep, { refresh }: Pick<Connection, 'refresh'>): string =>
  refresh && name === 'exchange' ? 'Token refresh' : stepTitles[name];

const states: Record<ConnectionStep['state'], { text: string; tone: Tone }> = {
  done: { text: 'Done', tone: 'ok' },
  running: { text: 'Waiting', tone: 'info' },
  failed: { text: 'Failed', tone: 'bad' },
  'not-reached': { text: 'Not reached', tone: 'calm' },
};
