import { randomUUID } from 'node:crypto';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { errorMessage } from '../../base/text/error-message.js';
import { createComponentSession, type RenderResult } from '../../console/markup/component-session.js';
import { ComponentView, type ComponentHost } from '../../console/markup/component-view.js';
import type { BlockData, SealedResult } from '../block-data.js';
import { islandOf } from '../island.js';

/** A block on a page, as data and as HTML. */
export interface DrawnBlock {
  data: BlockData;
  /** The markup from the block's first render. */
  html: string;
}

export interface BlockToRender {
  nth: number;
  component: string;
  base: string;
  render(): Promise<SealedResult>;
}

/** How many calls a page may run at the same time, and how long it waits for all of them. */
const mostAtOnce = 8;
const patienceMs = 1_500;
const mostPending = 200;

export interface BlockRenderer {
  /** Renders the blocks on a page. A block that takes too long becomes a placeholder. */
  draw(blocks: readonly BlockToRender[]): Promise<DrawnBlock[]>;
  /** Returns the result of a block that took too long. */
  pending(id: string): Promise<SealedResult> | undefined;
}

export function createBlockRenderer(
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
): BlockRenderer {
  const waiting: (() => void)[] = [];
  let running = 0;
  /** Renders that pages are no longer waiting for, oldest first. */
  const late = new Map<string, Promise<SealedResult>>();

  const inTurn = async (render: () => Promise<SealedResult>): Promise<SealedResult> => {
    if (running >= mostAtOnce) await new Promise<void>((start) => waiting.push(start));
    else running += 1;
    try {
      return await render();
    } catch (error) {
      return { type: 'error', status: 500, message: errorMessage(error) };
    } finally {
      // The next render takes this place.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
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
    async draw(blocks) {
      const done = new AbortController();
      const tooLate = sleep(patienceMs, done.signal).catch(() => {});
      const drawn = await Promise.all(
        blocks.map(async ({ render, ...known }) => {
          const result = inTurn(render);
          const first = await Promise.race([result, tooLate]);
          return drawBlock({ ...known, ...(first ? { first } : { pending: keep(result) }) });
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
  };
  return { data, html: renderIsland(islandOf(data.nth, <ComponentView session={session} host={host} />)) };
}

/** If a block fails to render, the rest of the page is still shown. */
function renderIsland(island: VNode): string {
  try {
    return renderToString(island);
  } catch {
    return '<div class="component-loading">Rendering…</div>';
  }
}
