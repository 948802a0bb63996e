import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ActionStep, ComponentSession } from '../markup/component-session.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { useCell } from '../ui/state/observable-cell.js';
import { Status } from '../ui/status.js';
import { GoLink } from '../shell/navigation.js';
import { DiffView } from '../text/diff-view.js';
import { formatDuration, formatTime, prettyJson } from '../text/format.js';
import { JsonView } from '../text/json-view.js';

/** The actions sent since the page was opened, newest first, with the state before and after each action. */
export function ActionHistory({ session }: { session: ComponentSession }): JSX.Element {
  const { history } = useCell(session.view);
  const [opened, setOpened] = useState<number>();
  if (history.length === 0) {
    return (
      <EmptyState icon="play" title="No actions yet">
        <p>Press a button in the block to see its action and how the action changes the state.</p>
      </EmptyState>
    );
  }
  const open = opened ?? history[0]?.number;
  return (
    <ol class="action-history">
      {history.map((step) => (
        <li key={step.number}>
          <button
            type="button"
            class="action-step"
            aria-expanded={step.number === open}
            onClick={() => setOpened(step.number === open ? 0 : step.number)}
          >
            <span class="number quiet">{step.number}</span>
            <code class="grow cut">{step.action.action}</code>
            {step.error !== undefined && <Status tone="bad">failed</Status>}
            <span class="number quiet">{formatDuration(step.durationMs)}</span>
            <span class="number quiet">{formatTime(step.time)}</span>
          </button>
          {step.number === open && <Step step={step} session={session} />}
        </li>
      ))}
    </ol>
  );
}

function Step({ step, session }: { step: ActionStep; session: ComponentSession }): JSX.Element {
  const { action, before, after, call, error } = step;
  return (
    <div class="stack tight action-detail">
      {error !== undefined && <p class="field-error">{error}</p>}
      <h3>Action</h3>
      <JsonView value={action} label="Action" open={3} />
      <h3>State before and after</h3>
      <DiffView before={prettyJson(before)} after={prettyJson(after)} label="State before and after" />
      <div class="row">
        <Button size="small" onPress={() => void session.redraw({ state: before })}>
          Restore the previous state
        </Button>
        {call !== undefined && <GoLink to={{ view: 'calls', call }}>View the call</GoLink>}
      </div>
    </div>
  );
}
