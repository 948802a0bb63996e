import type { UIAction } from '../../protocol/events.js';
import type { Block } from '../../protocol/block.js';
import { createComponentSession, type ComponentSession } from '../markup/component-session.js';
import type { ComponentPlace } from '../markup/component-view.js';
import { isRecord } from '../markup/read-markup.js';
import { preference, remember } from '../live/preferences.js';

const keyOf = (id: string): string => `block ${id}`;

export const forgetBlock = (id: string): void => remember(keyOf(id), undefined);

/** A block's state outlives the page and the session; the platform keeps its props itself. */
export function createBlockSession(block: Block, place: ComponentPlace, first?: UIAction): ComponentSession {
  const state = preference(keyOf(block.id));
  const session = createComponentSession({
    component: block.component,
    props: block.props,
    ...(isRecord(state) && { state }),
    render: place.render,
    openUrl: place.openUrl,
    now: place.now,
  });
  session.view.subscribe(() => {
    const { phase, state: now } = session.view.get();
    if (phase === 'ready') remember(keyOf(block.id), now);
  });
  void (first ? session.send(first) : session.redraw());
  return session;
}
