import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Connection, ConnectionStep } from '../../contract/routes/connections.js';
import type { InstalledTarget } from '../../contract/basics/resources.js';
import { CallLink } from '../calls/detail/call-link.js';
import { formatTime, formatTimeExact } from '../text/format.js';
import { SourceLink } from '../text/source-link.js';
import { Button } from '../ui/button.js';
import { showControls } from '../text/show-controls.js';
import { CopyButton } from '../ui/copy-button.js';
import { Card } from '../ui/card.js';
import { Icon } from '../ui/icon.js';
import { Status } from '../ui/status.js';
import type { Tone } from '../ui/tone.js';
import { ConnectionStepView, stepTitle } from './connection-step.js';
import { openConnection } from './open-connection.js';
import { useConnections } from './use-connections.js';
import { Breakable } from '../text/breakable.js';

/** Shows a target's OAuth connections step by step. Hidden if there are no connections. */
export function ConnectionsCard({ target }: { target: InstalledTarget }): JSX.Element | null {
  const data = useConnections(target);
  const [chosen, setChosen] = useState<string>();
  const [latest] = data;
  if (!latest) return null;
  const shown = data.find(({ id }) => id === chosen) ?? latest;
  // Keeps the card above the form while a failed connection is retried.
  const failed = data.find(({ outcome }) => outcome !== 'running')?.outcome === 'failed';
  return (
    <Card
      title="Connection, step by step"
      tone={failed ? 'bad' : undefined}
      // If the target is connected, the form has the button to connect again.
      actions={failed && <StartAgain connections={data} />}
    >
      <div class="stack tight" id={stepsId}>
        {data.length > 1 && (
          <label class="bar">
            <span class="quiet small">Attempt</span>
            <select
              class="control compact"
              value={shown.id}
              onChange={(event) => setChosen(event.currentTarget.value)}
            >
              {data.map((one) => (
                <option key={one.id} value={one.id}>
                  {formatTime(one.time)}, {outcomeOf(one).text}
                </option>
              ))}
            </select>
          </label>
        )}
        <div role="status">
          {shown.outcome === 'failed' ? (
            <FailedStep connection={shown} />
          ) : (
            <p class="row">
              <Status tone={outcomeOf(shown).tone}>{outcomeOf(shown).text}</Status>
              <span class="quiet number">{formatTime(shown.time)}</span>
            </p>
          )}
        </div>
        <ol class="connection-steps">
          {shown.steps.map((step) => (
            // A step is expanded when it fails. From then on, the user can collapse and expand it.
            <ConnectionStepView
              key={`${shown.id} ${step.name} ${step.state === 'failed'}`}
              title={stepTitle(step, shown)}
              step={step}
            />
          ))}
        </ol>
      </div>
    </Card>
  );
}

/**
 * Where and why the connection failed, and what to do next. Shown above the steps, because the failed step is often out of
 * view on small screens.
 */
function FailedStep({ connection }: { connection: Connection }): JSX.Element | null {
  const failed = connection.steps.find(({ state }) => state === 'failed');
  if (!failed) return null;
  const { verdict, time = connection.time, failure, call, hint } = failed;
  const sentence = ownSentence(failed);
  const why = sentence ?? verdict;
  return (
    <div class="notice bad failed-step">
      <Icon name="error" />
      <div>
        <strong class="wrap-anywhere">
          {stepTitle(failed, connection)} failed{why !== undefined && `: ${showControls(why)}`}
        </strong>
        <p class="wrap small">
          {sentence !== undefined && verdict !== undefined && (
            <span class="mono">{showControls(verdict)}</span>
          )}
          <span class="number">{formatTimeExact(time).slice(11)}</span>
          {failure?.file !== undefined && (
            <SourceLink file={failure.file} line={failure.line} column={failure.column} />
          )}
          {call !== undefined && <CallLink call={call} />}
        </p>
        {hint !== undefined && <p class="next-step">{hint}</p>}
      </div>
    </div>
  );
}

const ownSentence = ({ received }: ConnectionStep): string | undefined =>
  received.find(({ name }) => name === 'error_description')?.value;

const stepsId = 'connection-steps';

/**
 * Shown below the connect button: the URL to register with the provider, and the step at which the most recent attempt failed.
 */
export function ConnectHelp({ target, url }: { target: InstalledTarget; url: string }): JSX.Element {
  const latest = useConnections(target).find(({ startUrl }) => startUrl === url);
  const failed = latest?.steps.find(({ state }) => state === 'failed');
  // Falls back to the redirect URL that the SDK's handler uses unless `redirectURL` is set.
  const redirectUrl = latest?.redirectUrl ?? url.replace(/[?#].*/, '');
  return (
    <>
      {failed && (
        <p class="field-error" role="alert">
          The connection failed at the step {stepTitle(failed, {})}
          {failed.verdict !== undefined && `: ${showControls(failed.verdict)}`}.{' '}
          <button
            type="button"
            class="text-button"
            onClick={() => document.getElementById(stepsId)?.scrollIntoView({ block: 'center' })}
          >
            Show the steps
          </button>
        </p>
      )}
      <div class="bar small quiet">
        <p class="grow">
          Redirect URL to register with the provider:
          <br />
          <span class="mono wrap-anywhere">
            <Breakable text={redirectUrl} />
          </span>
        </p>
        <CopyButton text={redirectUrl} label="Copy the redirect URL" />
      </div>
    </>
  );
}

const outcomes: Record<Connection['outcome'], { text: string; tone: Tone }> = {
  connected: { text: 'Connected', tone: 'ok' },
  failed: { text: 'Failed', tone: 'bad' },
  running: { text: 'Waiting', tone: 'info' },
};

const refreshes: typeof outcomes = {
  connected: { text: 'Token refreshed', tone: 'ok' },
  failed: { text: 'Token refresh failed', tone: 'bad' },
  running: { text: 'Refreshing the token', tone: 'info' },
};

const outcomeOf = ({ outcome, refresh }: Connection): { text: string; tone: Tone } =>
  (refresh ? refreshes : outcomes)[outcome];

/** A button that starts the connection again. Skips token refreshes, because they have no start URL. */
function StartAgain({ connections }: { connections: readonly Connection[] }): JSX.Element | null {
  const { startUrl } = connections.find((one) => one.startUrl !== undefined) ?? {};
  if (startUrl === undefined) return null;
  return (
    <Button kind="primary" size="small" icon="link" onPress={() => openConnection(startUrl)}>
      Connect again
    </Button>
  );
}
