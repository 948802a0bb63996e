import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Block } from '../../protocol/block.js';
import { callList } from '../live/call-list.js';
import type { ComponentSession, ActionStep } from '../markup/component-session.js';
import { Button } from '../ui/button.js';
import { useCell } from '../ui/state/observable-cell.js';
import { CopyButton } from '../ui/copy-button.js';
import { useDraft } from '../live/kept-drafts.js';
import { Icon } from '../ui/icon.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { Status } from '../ui/status.js';
import { Tabs } from '../ui/tabs.js';
import { GoLink } from '../shell/navigation.js';
import { showControls } from '../text/show-controls.js';
import { SourceLink } from '../text/source-link.js';
import { formatDuration, formatTime, prettyJson } from '../text/format.js';
import { useCall } from '../live/use-resource.js';
import { outcomeWords } from '../calls/detail/describe-call.js';
import { LogLines } from '../calls/detail/log-lines.js';
import { MarkupTree } from '../markup/markup-tree.js';
import { ValuesEditor } from './values-editor.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { DiffView } from '../text/diff-view.js';
import { JsonView } from '../text/json-view.js';

const tabs = [
  { id: 'markup', label: 'Markup' },
  { id: 'state', label: 'State' },
  { id: 'props', label: 'Props' },
  { id: 'actions', label: 'Actions' },
  { id: 'log', label: 'Log' },
] as const;

const stateWords = {
  all: 'state',
  one: 'state value',
  none: 'The block has no state yet. Add a value, or edit the state as JSON.',
};
const propsWords = {
  all: 'props',
  one: 'prop',
  none: 'The block has no props yet. Add a prop that the component reads, or edit the props as JSON.',
};

type TabId = (typeof tabs)[number]['id'];

interface InspectorProps {
  id: string;
  block: Block | undefined;
  session: ComponentSession | undefined;
}

/** Shows the selected block's markup, state, props, actions and log. On a narrow screen, it is closed until a tab is chosen. */
export function Inspector({ id, block, session }: InspectorProps): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <aside id={id} class={open ? 'column inspector open' : 'column inspector'} aria-label="Inspector">
      {block && session ? (
        <Inspected key={block.id} block={block} session={session} open={open} setOpen={setOpen} />
      ) : (
        <LoadingState />
      )}
    </aside>
  );
}

interface InspectedProps {
  block: Block;
  session: ComponentSession;
  open: boolean;
  setOpen: (open: boolean) => void;
}

function Inspected({ block, session, open, setOpen }: InspectedProps): JSX.Element {
  const [tab, setTab] = useDraft<TabId>(`tab of ${block.id}`, 'markup');
  const view = useCell(session.view);
  const { state, props, element, error } = view;
  // The outline marks the handler of a failed action. A render that failed without an action appears only in the log.
  const failing = error && (error.action ? 'markup' : 'log');
  const raw = { markup: element, state, props, actions: view.history, log: undefined }[tab];
  return (
    <>
      <header class="bar inspector-head">
        <div class="grow">
          <h2 class="cut">{block.component}</h2>
          <p class="quiet small mono cut">{block.id}</p>
        </div>
        <Button
          kind="quiet"
          icon="replay"
          label="Render again"
          busy={view.busy}
          onPress={() => void session.redraw()}
        />
      </header>
      <Tabs
        label="Block details"
        tabs={tabs.map((one) => ({ ...one, failed: one.id === failing }))}
        active={tab}
        onSelect={(next) => {
          setTab(next);
          setOpen(true);
        }}
        actions={
          <>
            {raw !== undefined && <CopyButton text={prettyJson(raw)} label={`Copy the ${tab} as JSON`} />}
            <button
              type="button"
              class="button quiet bare inspector-toggle"
              aria-label="Block details"
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              <Icon name="right" />
            </button>
          </>
        }
      >
        {tab === 'markup' && (
          <MarkupTree element={element} warnings={view.warnings} failed={error?.action?.name} />
        )}
        {tab === 'state' && (
          <ValuesEditor
            key="state"
            block={block.id}
            words={stateWords}
            values={state}
            onChange={(next) => session.redraw({ state: next })}
          />
        )}
        {tab === 'props' && (
          <ValuesEditor
            key="props"
            block={block.id}
            words={propsWords}
            values={props}
            onChange={(next) => session.redraw({ props: next })}
          />
        )}
        {tab === 'actions' && <ActionHistory session={session} />}
        {tab === 'log' && <CallLog component={block.component} failed={error?.call} />}
      </Tabs>
    </>
  );
}

function CallLog({ component, failed }: { component: string; failed: string | undefined }): JSX.Element {
  const { lines, loading } = useCell(callList.view);
  const calls = lines
    .filter(({ type, component: drawn }) => type === 'ui_render' && drawn === component)
    .slice(0, 10);
  if (calls.length === 0)
    return loading ? <LoadingState /> : <p class="quiet">The component hasn't been rendered yet.</p>;
  return (
    <ol class="column call-log">
      {calls.map((line) => {
        const { tone, text } = outcomeWords(line);
        return (
          <li key={line.id} class={line.severity} aria-current={line.id === failed || undefined}>
            <GoLink to={{ view: 'calls', call: line.id }} class="bar pick recent-link">
              <span class="grow cut">{line.action ?? 'render'}</span>
              <Status tone={tone}>{text}</Status>
              <span class="number quiet">{formatDuration(line.durationMs)}</span>
              <span class="number quiet">{formatTime(line.time)}</span>
            </GoLink>
            {line.reason !== undefined && line.logs === 0 && (
              <p class="quiet small wrap-anywhere">
                {showControls(line.reason)} {line.at && <SourceLink {...line.at} />}
              </p>
            )}
            {line.logs > 0 && <CallLines id={line.id} />}
          </li>
        );
      })}
    </ol>
  );
}

function CallLines({ id }: { id: string }): JSX.Element | null {
  const { data } = useCall(id);
  return data ? <LogLines lines={data.logs} since={data.time} /> : null;
}

function ActionHistory({ session }: { session: ComponentSession }): JSX.Element {
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
            class="bar pick action-step"
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
