import { useEffect, useRef } from 'preact/hooks';
import type { InstalledTarget } from '../../contract/basics/resources.js';
import type { UIAction } from '../../protocol/events.js';
import { createComponentHost } from '../blocks/component-host.js';
import { createComponentSession, type ComponentSession } from '../markup/component-session.js';
import type { ComponentHost } from '../markup/component-view.js';
import { onLive } from '../live/live-stream.js';
import { isDark } from '../shell/theme.js';
import type { PageBlockOf } from '../../protocol/page/page-blocks.js';

export interface PageSession {
  session: ComponentSession;
  host: ComponentHost;
  /** The block that the session renders, in its current state on the page. */
  of: PageBlockOf;
}

interface PageSessionsOptions {
  blocks: readonly PageBlockOf[];
  target: InstalledTarget | undefined;
  endpoint: string;
  /** Called when an action returns different properties. */
  onProps: (of: PageBlockOf, props: Record<string, unknown>) => void;
}

const sameProps = (one: PageBlockOf, other: PageBlockOf): boolean =>
  JSON.stringify(one.props) === JSON.stringify(other.props);

/** Keeps a session for each block, so that blocks keep their state when they move or their properties change. */
export function usePageSessions({ blocks, target, endpoint, onProps }: PageSessionsOptions): PageSession[] {
  const held = useRef<PageSession[]>([]);
  const saveProps = useRef(onProps);
  saveProps.current = onProps;

  const open = (of: PageBlockOf, at: InstalledTarget): PageSession => {
    const plain = createComponentHost({
      target: at,
      endpoint,
      context: () => ({ type: 'document', theme: isDark() ? 'dark' : 'light', editable: true }),
      display: true,
    });
    const host: ComponentHost = {
      ...plain,
      async render(input) {
        const result = await plain.render(input);
        const isOwn = input.component === of.component && !input.modal;
        if (isOwn && input.action && result.type === 'element') {
          const { props } = result;
          if (JSON.stringify(props) !== JSON.stringify(made.of.props)) saveProps.current(made.of, props);
        }
        return result;
      },
    };
    const session = createComponentSession({
      component: of.component,
      props: of.props,
      render: host.render,
      openUrl: host.openUrl,
      now: host.now,
    });
    const made = { session, host, of };
    void session.redraw();
    return made;
  };

  // Creates sessions during rendering, so that the blocks are part of the page's first render.
  const left = new Set(held.current);
  const take = (of: PageBlockOf, fits: (one: PageBlockOf) => boolean): PageSession | undefined => {
    for (const one of left) {
      if (one.of.component !== of.component || !fits(one.of)) continue;
      left.delete(one);
      return one;
    }
    return undefined;
  };
  const exact = blocks.map((of) => take(of, (one) => sameProps(one, of)));
  const sessions = target
    ? blocks.map((of, nth) => {
        const kept = exact[nth] ?? take(of, () => true);
        if (!kept) return open(of, target);
        const changed = JSON.stringify(kept.session.view.get().props) !== JSON.stringify(of.props);
        kept.of = of;
        if (changed && !exact[nth]) void kept.session.redraw({ props: of.props });
        return kept;
      })
    : [];
  held.current = sessions;

  useEffect(
    () =>
      onLive(({ type }) => {
        if (type !== 'reloaded') return;
        for (const { session } of held.current) void session.redraw();
      }),
    [],
  );
  return sessions;
}

/**
 * Resolves to the component's props for a link, which the caller needs to add a block to the page. Rejects if the link
 * cannot become a block.
 */
export async function unfurl(
  block: string,
  url: string,
  { target, endpoint }: { target: InstalledTarget; endpoint: string },
): Promise<Record<string, unknown>> {
  const action: UIAction = { action: '@link.unfurl', url };
  const host = createComponentHost({
    target,
    endpoint,
    context: () => ({ type: 'document', theme: isDark() ? 'dark' : 'light', editable: true }),
  });
  const result = await host.render({ component: block, props: {}, action });
  if (result.type === 'error') throw new Error(`The block couldn't unfurl the link. ${result.message}`);
  return result.type === 'element' ? result.props : {};
}
