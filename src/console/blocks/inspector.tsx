import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Block } from '../../protocol/block.js';
import { callList } from '../live/call-list.js';
import type { ComponentSession, ComponentView } from '../markup/component-session.js';
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
import { BlockActions } from './block-actions.js';
import { ValuesEditor } from './values-editor.js';

const tabs = [
  { id: 'props', label: 'Props' },
  { id: 'state', label: 'State' },
  { id: 'actions', label: 'Actions' },
  { id: 'markup', label: 'Markup' },
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
  const [tab, setTab] = useDraft<TabId>(`tab of ${block.id}`, 'props');
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
        <Rendered view={view} />
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
        {tab === 'actions' && <BlockActions session={session} />}
        {tab === 'log' && <CallLog component={block.component} failed={error?.call} />}
      </Tabs>
    </>
  );
}

/** How the last render went, with a link to its call. */
function Rendered({ view: { busy, error, lastCall } }: { view: ComponentView }): JSX.Element {
  const call = error?.call ?? lastCall;
  const [tone, text] = busy
    ? (['info', 'Rendering'] as const)
    : error
      ? (['bad', 'Failed'] as const)
      : (['ok', 'Rendered'] as const);
  const status = <Status tone={tone}>{text}</Status>;
  return call === undefined ? status : <GoLink to={{ view: 'calls', call }}>{status}</GoLink>;
}

function CallLog({ component, failed }: { component: string; failed: string | undefined }): JSX.Element {
  const { lines, loading } = useCell(callList.view);
  const calls = lines
    .filter(({ type, component: drawn }) => type === 'ui_render' && drawn === component)
    .slice(0, 10);
  if (calls.length === 0)
    return loading ? <LoadingState /> : <p class="quiet">The component hasn't been rendered yet.</p>;
  return (
    <ol class="column gap-s call-log">
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
