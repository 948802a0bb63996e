import type { CallRecord } from '../../../contract/routes/calls.js';
import { clockTime } from '../../session/call-words.js';

type Related = Pick<CallRecord, 'time' | 'background' | 'cause' | 'effects'>;

/** The promises that a call passed to `waitUntil`. */
export const renderBackground = ({ time, background = [] }: Related): string[] =>
  background.map(({ time: began, durationMs, error }) => {
    const outcome = durationMs === undefined ? 'not settled' : `${durationMs} ms`;
    return `  +${Math.max(0, began - time)} ms  ${outcome}${error === undefined ? '' : `  rejected: ${error}`}`;
  });

/** The causes and effects of a call. The ids can be passed to `platform inspect`. */
export const renderRelated = ({ cause, effects = [] }: Related): string[] => [
  ...(cause ? [`  ${causes[cause.type]} ${cause.call ?? 'no recorded call'}`] : []),
  ...effects.map((effect) => `  ${clockTime(effect.time)}  ${effectText(effect)}`),
];

const causes = { replay: 'replay of', task: 'task queued by', render: 'action rendered by' };

function effectText({ type, id = '', call, title }: NonNullable<CallRecord['effects']>[number]): string {
  switch (type) {
    case 'replay':
      return `replayed as ${call}`;
    case 'render':
      return `next action: ${call}`;
    case 'delivery':
      return `webhook delivery ${id}`;
    case 'task':
      return call === undefined ? `task ${title}, queued as ${id}` : `task ${title} ran as ${call}`;
  }
}
