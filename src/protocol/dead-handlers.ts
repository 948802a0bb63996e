import { nearest } from '../base/did-you-mean.js';
import { eventsWithOption } from './events-with-option.js';
import { eventTypes } from './sample-events.js';

/** An entry in `events` that never runs. */
export interface DeadHandler {
  message: string;
  help: string;
}

const known = new Set<string>(eventTypes);
const withOption = new Set<string>(eventsWithOption);

/** Finds the entries in `events` that never run, given its keys. */
export const findDeadHandlers = (keys: readonly string[]): DeadHandler[] => keys.flatMap(explain);

function explain(event: string): DeadHandler[] {
  if (withOption.has(event))
    return dead(
      `events has a handler for ${event}, which never runs.`,
      `Move it out of events, so that ${event} is an option of createIntegration().`,
    );
  if (event.startsWith('content_compute_') && known.has(event))
    return dead(
      `events has a handler for ${event}, which never runs.`,
      'Pass a content source to createIntegration() in contentSources instead.',
    );
  if (known.has(event)) return [];
  const meant = nearest(event, known);
  return meant === undefined
    ? dead(
        `The script handles ${event}, which this platform never sends.`,
        'Remove the handler, or handle one of the events that "platform trigger" can send.',
      )
    : dead(
        `The script handles ${event}, which is not an event, so the handler never runs.`,
        `Did you mean "${meant}"?`,
      );
}

const dead = (message: string, help: string): DeadHandler[] => [{ message, help }];
