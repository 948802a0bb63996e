import type { UIAction } from '../../protocol/events.js';
import type { Values } from './read-markup.js';

/** What the platform answers when a component is drawn. */
export type RenderResult =
  | { type: 'element'; element: unknown; props: Values; state: Values; call: string }
  | { type: 'complete'; returnValue?: unknown; call: string }
  | { type: 'open-url'; url: string }
  | { type: 'open-modal'; component: string; props: Values; modal: RenderResult }
  | { type: 'close-modal'; action: UIAction }
  | { type: 'error'; status: number; message: string; call?: string };

export interface RenderInput {
  component: string;
  props: Values;
  state?: Values;
  action?: UIAction;
  modal?: boolean;
}

export type Render = (input: RenderInput) => Promise<RenderResult>;
