import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { createAbortableTurns } from '../../base/abortable-turns.js';
import { errorMessage } from '../../base/text/error-message.js';
import { createComponentSession } from '../../console/markup/component-session.js';
import type { RenderResult } from '../../contract/routes/components.js';
import { ComponentLoading, ComponentView, type ComponentHost } from '../../console/markup/component-view.js';
import type { BlockData, SealedResult } from '../block-data.js';
import { islandOf } from '../island.js';

/** A block on a page, as data and as HTML. */
export interface DrawnBlock {
  data: BlockData;
  /** The markup from the block's first render. */
  html: string;
}

export interface BlockToRender extends BlockData {
  render(): Promise<SealedResult>;
}

/** How many calls a page may run at the same time, and how long it waits for all of them. */
const mostAtOnce = 8;
const patienceMs = 1_500;
const mostPending = 200;
/** How many renders may wait for their turn. Page views need no key, so the browser renders the other blocks with the key. */
const mostWaiting = 100;

export interface BlockRenderer {
  /**
   * Renders the blocks on a page until the request ends. A block that takes too long becomes a placeholder, and one whose turn
   * has not come by then is not rendered.
   */
  draw(blocks: readonly BlockToRender[], request: AbortSignal): Promise<DrawnBlock[]>;
  /** Returns the result of a block that took too long. */
  pending(id: string): Promise<SealedResult> | undefined;
}

export function createBlockRenderer(
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
): BlockRenderer {
  const turns = createAbortableTurns(mostAtOnce, mostWaiting);
  /** Renders that pages are no longer waiting for, oldest first. */
  const late = new Map<string, Promise<SealedResult>>();

  const run = async (render: () => Promise<SealedResult>): Promise<SealedResult> => {
    try {
      return await render();
    } catch (error) {
      return { type: 'error', status: 500, message: errorMessage(error) };
    } finally {
      turns.leave();
    }
  };

  const keep = (result: Promise<SealedResult>): string => {
    const id = randomUUID();
    late.set(id, result);
    const [oldest] = late.keys();
    if (late.size > mostPending && oldest !== undefined) late.delete(oldest);
    return id;
  };

  return {
    async draw(blocks, request) {
      const done = new AbortController();
      const ended = AbortSignal.any([request, done.signal]);
      setMaxListeners(0, ended);
      const tooLate = sleep(patienceMs, ended).catch(() => {});
      void tooLate.then(() => done.abort());
      const drawn = await Promise.all(
        blocks.map(async ({ render, ...known }) => {
          if (!(await turns.take(ended))) return drawBlock(known);
          const result = run(render);
          const first = await Promise.race([result, tooLate]);
          if (first && first.type !== 'error') return drawBlock({ ...known, first });
          return drawBlock({ ...known, pending: keep(result), ...(first && { failed: true }) });
        }),
      );
      done.abort();
      return drawn;
    },
    pending(id) {
      const result = late.get(id);
      late.delete(id);
      return result;
    },
  };
}

/** Renders a block as the browser would, with the same component and data. */
export function drawBlock(data: BlockData): DrawnBlock {
  if (data.failed)
    return {
      data,
      html: '<p class="quiet" role="note">This part of the page can’t be shown right now.</p>',
    };
  const never = (): Promise<RenderResult> => new Promise(() => {});
  const session = createComponentSession({
    component: data.component,
    props: {},
    ...(data.first && { first: data.first }),
    render: never,
    openUrl: () => {},
    now: () => 0,
  });
  const host: ComponentHost = {
    render: never,
    openUrl: () => {},
    options: async () => [],
    base: data.base,
    now: () => 0,
    hasReaders: true,
  };
  return { data, html: renderIsland(islandOf(data.nth, <ComponentView session={session} host={host} />)) };
}

/** If a block fails to render, the rest of the page is still shown. */
function renderIsland(island: VNode): string {
  try {
    return renderToString(island);
  } catch {
    return renderToString(<ComponentLoading />);
  }
}
