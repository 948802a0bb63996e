import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Connection } from '../../contract/routes/connections.js';
import type { InstalledTarget } from '../../contract/basics/resources.js';
import { api } from '../api/fetch-api.js';
import { useResource } from '../live/use-resource.js';
import { targetKey } from '../live/where-installed.js';
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

/** Shows the OAuth connections of a target step by step. It is hidden if the target has no connections. */
export function ConnectionsCard({ target }: { target: InstalledTarget }): JSX.Element | null {
  const data = useConnections(target);
  const [chosen, setChosen] = useState<string>();
  const [latest] = data;
  if (!latest) return null;
  const shown = data.find(({ id }) => id === chosen) ?? latest;
  // While a failed connection is tried again, the card stays where it is: above the form.
  const failed = data.find(({ outcome }) => outcome !== 'running')?.outcome === 'failed';
  return (
    <Card
      title="Connection, step by step"
      tone={failed ? 'bad' : undefined}
      // The form has a button for a target that is connected.
      actions={failed && <StartAgain connections={data} />}
    >
      <div class="stack tight" id={stepsId}>
        {data.length > 1 && (
          <label class="connection-choice">
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
        <p role="status">
          <Status tone={outcomeOf(shown).tone}>{outcomeOf(shown).text}</Status>{' '}
          <span class="quiet number">{formatTime(shown.time)}</span>
        </p>
        <FailedStep connection={shown} />
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

/** Where the connection failed. Shown above the steps, because on small screens, the step itself is often out of view. */
function FailedStep({ connection }: { connection: Connection }): JSX.Element | null {
  const failed = connection.steps.find(({ state }) => state === 'failed');
  if (!failed) return null;
  const { verdict, time = connection.time, failure, call } = failed;
  return (
    <div class="notice bad failed-step">
      <Icon name="error" />
      <div>
        <strong>
          {stepTitle(failed, connection)}
          {verdict !== undefined && `: ${showControls(verdict)}`}
        </strong>
        <p class="small">
          <span class="number">{formatTimeExact(time).slice(11)}</span>
          {failure?.file !== undefined && (
            <SourceLink file={failure.file} line={failure.line} column={failure.column} />
          )}
          {call !== undefined && <CallLink call={call} />}
        </p>
      </div>
    </div>
  );
}

const stepsId = 'connection-steps';

function useConnections(target: InstalledTarget): Connection[] {
  const { data = [] } = useResource(
    `connections ${targetKey(target)}`,
    () => api('GET /connections', { ...target }),
    // Reloads after any call that sent a request, because the call may have refreshed the token.
    (event) =>
      (event.type === 'call-finished' && (event.call.type === 'fetch' || event.call.outbound > 0)) ||
      (event.type === 'outbound' && event.late) ||
      event.type === 'state-loaded',
  );
  return data;
}

/**
 * Shown below the connect button: the URL to register with the provider, and the step at which the most recent attempt failed.
 */
export function ConnectHelp({ target, url }: { target: InstalledTarget; url: string }): JSX.Element {
  const latest = useConnections(target).find(({ startUrl }) => startUrl === url);
  const failed = latest?.steps.find(({ state }) => state === 'failed');
  // The default redirect URL of the SDK's handler, which applies unless `redirectURL` is set.
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
      <p class="redirect-url small quiet">
        Redirect URL to register with the provider:{' '}
        <span class="mono wrap-anywhere">{showControls(redirectUrl)}</span>
        <CopyButton text={redirectUrl} label="Copy the redirect URL" />
      </p>
    </>
  );
}

const outcomes: Record<Connection['outcome'], { text: string; tone: Tone }> = {
  connected: { text: 'connected', tone: 'ok' },
  failed: { text: 'failed', tone: 'bad' },
  running: { text: 'waiting', tone: 'info' },
};

const refreshes: typeof outcomes = {
  connected: { text: 'token refreshed', tone: 'ok' },
  failed: { text: 'token refresh failed', tone: 'bad' },
  running: { text: 'refreshing the token', tone: 'info' },
};

const outcomeOf = ({ outcome, refresh }: Connection): { text: string; tone: Tone } =>
  (refresh ? refreshes : outcomes)[outcome];

/** A button that starts the connection again. It skips token refreshes, because they have no start URL. */
function StartAgain({ connections }: { connections: readonly Connection[] }): JSX.Element | null {
  const { startUrl } = connections.find((one) => one.startUrl !== undefined) ?? {};
  if (startUrl === undefined) return null;
  return (
    <Button size="small" icon="link" onPress={() => openConnection(startUrl)}>
      Connect again
    </Button>
  );
}
