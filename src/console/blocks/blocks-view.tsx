import type { JSX, RefObject, TargetedPointerEvent } from 'preact';
import { Command } from '../ui/command.js';
import { useEffect, useLayoutEffect, useMemo, useState, useRef } from 'preact/hooks';
import type { IntegrationBlock } from '../../protocol/integration.js';
import type { UIAction } from '../../protocol/events.js';
import type { InstalledTarget } from '../../contract/basics/resources.js';
import { api } from '../api/fetch-api.js';
import { onLive } from '../live/live-stream.js';
import { usePreference } from '../live/preferences.js';
import { installedIn } from '../live/where-installed.js';
import type { Block } from '../../protocol/block.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { useResource } from '../live/use-resource.js';
import { useAct } from '../ui/run-and-report.js';
import { Icon } from '../ui/icon.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { TargetSelect } from '../live/target-select.js';
import { go } from '../shell/navigation.js';
import { NotInstalled } from '../shell/not-installed.js';
import { Keys } from '../shell/keys.js';
import { useShortcut } from '../shell/shortcuts.js';
import { isDark } from '../shell/theme.js';
import { forgetBlock, useSessions } from './use-block-sessions.js';
import { BlockIcon } from './block-icon.js';
import { DocumentBlock } from './document-block.js';
import { Inspector } from './inspector.js';
import { QuickInsert } from './quick-insert.js';
import { StageBar, type Stage } from './stage-bar.js';
import { blockForLink } from '../../protocol/match-link.js';

const inspectorId = 'inspector';
const initialWidth = 360;

interface BlocksViewProps {
  platform: PlatformResource;
  selected: string | undefined;
}

export function BlocksView({ platform, selected }: BlocksViewProps): JSX.Element {
  if (platform.integration.blocks.length === 0) {
    return (
      <EmptyState
        icon="blocks"
        title="The manifest has no blocks"
        action={<Command text="platform add component my-block" />}
      >
        <p>
          This command writes a component and lists it under <code>blocks</code> in the manifest. You can then
          insert it into a page here.
        </p>
      </EmptyState>
    );
  }
  if (installedIn(platform).length === 0) {
    return <NotInstalled icon="blocks" platform={platform} because="A block belongs to an installation." />;
  }
  return <Workbench platform={platform} selected={selected} />;
}

function Workbench({ platform, selected }: BlocksViewProps): JSX.Element {
  const targets = installedIn(platform);
  const [chosen, setChosen] = useState<InstalledTarget>();
  const where = chosen ?? (targets.find(({ kind }) => kind === 'space') ?? targets[0])?.target;
  const [inserting, setInserting] = useState(false);
  const [stage, setStage] = usePreference<Stage>('stage', {
    theme: isDark() ? 'dark' : 'light',
    width: 'page',
    direction: 'ltr',
    editable: true,
  });
  const { data, read } = useResource(
    'blocks',
    () => api('GET /blocks'),
    ({ type }) => type === 'block' || type === 'state-loaded',
  );
  const { act } = useAct();
  /** For each block created from a link, the action that unfurls the link. */
  const first = useMemo(() => new Map<string, UIAction>(), []);
  const blocks = data ?? [];
  const [inserted] = useState(() => new Set<string>());
  const sessions = useSessions({ platform, blocks, stage, first, inserted });
  const current = blocks.find(({ id }) => id === selected) ?? blocks.at(-1);
  const isEmpty = data?.length === 0;
  const main = useRef<HTMLDivElement>(null);
  const room = useWidth(main);
  const [inspectorWidth, setInspectorWidth] = usePreference('inspector width', initialWidth);
  const { noteClick } = useScrollToBlock(
    selected,
    blocks.some(({ id }) => id === selected),
  );

  const insert = (block: IntegrationBlock, link?: string): void => {
    setInserting(false);
    act(async () => {
      if (!where) return;
      const made = await api('POST /blocks', { component: block.id, props: {}, ...where });
      inserted.add(made.id);
      if (link !== undefined) first.set(made.id, { action: '@link.unfurl', url: link });
      read();
      go({ view: 'blocks', block: made.id }, 'replace');
    });
  };
  useShortcut('mod+/', () => setInserting(true));
  useRedrawOnReload(sessions);
  usePastedLink(platform.integration.blocks, insert);

  return (
    <div
      class={isEmpty ? 'workbench without-inspector' : 'workbench'}
      style={{ '--inspector-width': `${inspectorWidth}px` }}
    >
      <div class="column min-0" ref={main}>
        <StageBar stage={stage} room={room} onChange={setStage}>
          <TargetSelect targets={targets} value={where} onChange={setChosen} label="Insert into" hideLabel />
        </StageBar>
        <Page
          {...{ stage, blocks, sessions, current, inserting, setInserting }}
          known={platform.integration.blocks}
          loading={!data}
          onInsert={insert}
          onSelect={({ id }) => {
            noteClick(id);
            go({ view: 'blocks', block: id }, 'replace');
          }}
          onRemove={(block) => act(() => removeBlock(block, read))}
        />
      </div>
      {!isEmpty && (
        <>
          <PaneSplitter
            label="Inspector width"
            controls={inspectorId}
            size={inspectorWidth}
            min={260}
            max={720}
            initial={initialWidth}
            onResize={setInspectorWidth}
          />
          <Inspector
            id={inspectorId}
            block={current}
            session={current && sessions.get(current.id)?.session}
          />
        </>
      )}
    </div>
  );
}

interface PageProps {
  stage: Stage;
  blocks: readonly Block[];
  sessions: ReturnType<typeof useSessions>;
  current: Block | undefined;
  /** The blocks that the manifest declares. */
  known: readonly IntegrationBlock[];
  loading: boolean;
  inserting: boolean;
  setInserting: (inserting: boolean) => void;
  onInsert: (block: IntegrationBlock, link?: string) => void;
  onSelect: (block: Block) => void;
  onRemove: (block: Block) => void;
}

function Page(props: PageProps): JSX.Element {
  const { stage, blocks, sessions, current, known, setInserting } = props;
  return (
    <div class="stage">
      <div class={`paper ${stage.width}`} data-theme={stage.theme} dir={stage.direction}>
        <h2 class="paper-title">Untitled page</h2>
        {props.loading && <LoadingState />}
        {blocks.map((block) => {
          const held = sessions.get(block.id);
          return (
            held && (
              <DocumentBlock
                key={block.id}
                id={block.id}
                title={known.find(({ id }) => id === block.component)?.title ?? block.component}
                held={held}
                selected={block === current}
                onSelect={() => props.onSelect(block)}
                onRemove={() => props.onRemove(block)}
              />
            )
          );
        })}
        <div class="relative">
          {props.inserting ? (
            <QuickInsert blocks={known} onInsert={props.onInsert} onClose={() => setInserting(false)} />
          ) : blocks.length === 0 && !props.loading ? (
            <FirstBlock known={known} onInsert={props.onInsert} />
          ) : (
            <button type="button" class="bar insert-button" onClick={() => setInserting(true)}>
              <Icon name="plus" /> Insert a block, or paste a link <Keys keys="mod+/" />
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

function FirstBlock({ known, onInsert }: Pick<PageProps, 'known' | 'onInsert'>): JSX.Element {
  return (
    <>
      <p class="quiet">Insert a block, or paste a link that a block unfurls.</p>
      <ul class="stack tight first-blocks">
        {known.map((block) => (
          <li key={block.id}>
            <button type="button" class="bar pick option quick-option" onClick={() => onInsert(block)}>
              <BlockIcon block={block} />
              <span class="column grow cut">
                <span class="semi cut">{block.title}</span>
                <span class="quiet small cut">{block.description ?? block.id}</span>
              </span>
              <Icon name="plus" />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Infinity until the element has been measured. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(Infinity);
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? Infinity));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

function useRedrawOnReload(sessions: ReturnType<typeof useSessions>): void {
  useEffect(
    () =>
      onLive(({ type }) => {
        if (type === 'reloaded') for (const { session } of sessions.values()) void session.redraw();
      }),
    [sessions],
  );
}

/** When the user pastes a link outside a field, inserts the block that unfurls it. */
function usePastedLink(
  blocks: readonly IntegrationBlock[],
  insert: (block: IntegrationBlock, link: string) => void,
): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const target = event.target;
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
      const link = event.clipboardData?.getData('text/plain') ?? '';
      const block = blockForLink(blocks, link);
      if (block) insert(block, link.trim());
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  });
}

async function removeBlock(block: Block, read: () => void): Promise<void> {
  await api('DELETE /blocks/{block}', { block: block.id });
  forgetBlock(block.id);
  read();
}

/** Scrolls to the block in the URL, and keeps it in view while the blocks above it render. */
function useScrollToBlock(block: string | undefined, loaded: boolean): { noteClick(id: string): void } {
  const clicked = useRef<string>(undefined);
  useEffect(() => {
    const node =
      block === undefined || clicked.current === block ? null : document.getElementById(`block-${block}`);
    if (!node?.parentElement) return;
    const observer = new ResizeObserver(() => node.scrollIntoView({ block: 'start' }));
    observer.observe(node.parentElement);
    const done = new AbortController();
    done.signal.addEventListener('abort', () => observer.disconnect());
    // From this point on, the user controls scrolling.
    for (const type of ['wheel', 'pointerdown', 'keydown', 'touchstart'])
      addEventListener(type, () => done.abort(), { signal: done.signal, passive: true });
    return () => done.abort();
  }, [block, loaded]);
  return {
    noteClick(id) {
      clicked.current = id;
    },
  };
}

interface PaneSplitterProps {
  label: string;
  /** The id of the pane after the splitter, which the splitter resizes. */
  controls: string;
  size: number;
  min: number;
  max: number;
  initial: number;
  onResize: (size: number) => void;
}

const step = 16;

const longStep = 64;

function PaneSplitter(props: PaneSplitterProps): JSX.Element {
  const { label, controls, size, min, max, initial, onResize } = props;
  const resize = (to: number): void => onResize(Math.round(Math.min(max, Math.max(min, to))));

  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.shiftKey ? longStep : step;
    const to = { ArrowLeft: size + by, ArrowRight: size - by, Home: min, End: max }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    resize(to);
  };
  const onPointerDown = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    event.preventDefault();
    const { currentTarget: handle, pointerId, clientX: from } = event;
    handle.setPointerCapture(pointerId);
    const dropped = new AbortController();
    const { signal } = dropped;
    handle.addEventListener('pointermove', ({ clientX }) => resize(size + from - clientX), { signal });
    handle.addEventListener('lostpointercapture', () => dropped.abort(), { signal });
  };
  return (
    <div
      class="pane-splitter"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-controls={controls}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      title="Drag to resize, or use the arrow keys"
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onDblClick={() => resize(initial)}
    />
  );
}
