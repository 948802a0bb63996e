import type { UIAction } from '../../protocol/events.js';
import type { Block } from '../../protocol/block.js';
import { createComponentSession, type ComponentSession } from '../markup/component-session.js';
import type { ComponentPlace } from '../markup/component-view.js';
import { isRecord, type Values } from '../markup/read.js';

const keyOf = (id: string): string => `platform-block:${id}`;

function readKept(id: string): Values | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(keyOf(id)) ?? 'null');
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A block's state outlives a reload of the page; its props are the platform's to keep. */
export function createBlockSession(block: Block, place: ComponentPlace, first?: UIAction): ComponentSession {
  const state = readKept(block.id);
  const session = createComponentSession({
    component: block.component,
    props: block.props,
    ...(state && { state }),
    render: place.render,
    openUrl: place.openUrl,
    now: place.now,
  });
  session.view.subscribe(() => {
    const { phase, state: now } = session.view.get();
    if (phase === 'ready') sessionStorage.setItem(keyOf(block.id), JSON.stringify(now));
  });
  void (first ? session.send(first) : session.redraw());
  return session;
}
