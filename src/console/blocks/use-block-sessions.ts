import { useMemo, useRef } from 'preact/hooks';
import type { UIAction } from '../../protocol/events.js';
import { findInstalled } from '../live/where-installed.js';
import type { Block } from '../../protocol/block.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { createComponentSession, type ComponentSession } from '../markup/component-session.js';
import type { ComponentHost } from '../markup/component-view.js';
import { createComponentHost } from './component-host.js';
import type { Stage } from './stage-bar.js';
import { isRecord } from '../markup/basics/read-markup.js';
import { preference, remember } from '../live/preferences.js';

export interface HeldSession {
  session: ComponentSession;
  host: ComponentHost;
}

interface SessionsOptions {
  platform: PlatformResource;
  blocks: readonly Block[];
  stage: Stage;
  first: Map<string, UIAction>;
  /** The blocks that the user has inserted. All other blocks already existed and are only displayed. */
  inserted: ReadonlySet<string>;
}

export function useSessions({
  platform,
  blocks,
  stage,
  first,
  inserted,
}: SessionsOptions): Map<string, HeldSession> {
  const held = useRef(new Map<string, HeldSession>());
  const latest = useRef(stage);
  const redrawn = latest.current.theme !== stage.theme || latest.current.editable !== stage.editable;
  latest.current = stage;

  const ids = blocks.map(({ id }) => id).join(' ');
  const sessions = useMemo(() => {
    const before = held.current;
    held.current = new Map(
      blocks.map((block) => {
        const kept = before.get(block.id);
        if (kept) return [block.id, kept];
        const host = createComponentHost({
          target: targetOf(block),
          endpoint: findInstalled(platform, targetOf(block))?.endpoint ?? platform.urls.publicEndpoint,
          context: () => ({
            type: 'document',
            theme: latest.current.theme,
            editable: latest.current.editable,
          }),
          block: block.id,
          display: !inserted.has(block.id),
        });
        const session = createBlockSession(block, host, first.get(block.id));
        first.delete(block.id);
        return [block.id, { session, host }];
      }),
    );
    return held.current;
  }, [ids]);

  useMemo(() => {
    if (redrawn) for (const { session } of sessions.values()) void session.redraw();
  }, [stage.theme, stage.editable]);
  return sessions;
}

const targetOf = ({ installation, site, space }: Block) => ({
  installation,
  ...(site !== undefined && { site }),
  ...(space !== undefined && { space }),
});

const keyOf = (id: string): string => `block ${id}`;

export const forgetBlock = (id: string): void => remember(keyOf(id), undefined);

/** Creates a session that keeps the block's state across reloads and restarts. The platform stores the block's props. */
function createBlockSession(block: Block, host: ComponentHost, first?: UIAction): ComponentSession {
  const state = preference(keyOf(block.id));
  const session = createComponentSession({
    component: block.component,
    props: block.props,
    ...(isRecord(state) && { state }),
    render: host.render,
    openUrl: host.openUrl,
    now: host.now,
  });
  session.view.subscribe(() => {
    const { phase, state: now } = session.view.get();
    if (phase === 'ready') remember(keyOf(block.id), now);
  });
  void (first ? session.send(first) : session.redraw());
  return session;
}
