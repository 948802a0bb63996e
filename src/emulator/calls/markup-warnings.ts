import {
  checkMarkup,
  describeMarkupProblem,
  type MarkupProblem,
} from '../../protocol/markup/check-markup.js';
import type { EventFeed } from '../live/event-feed.js';

/** Limit, because a script can generate any number of names. */
const MAX = 1000;

/**
 * Checks the rendered markup of a component. Each problem is reported as a warning once, and is part of
 * every result that contains it.
 */
export function createMarkupWarnings(
  feed: EventFeed,
): (component: string, markup: unknown, call: string) => MarkupProblem[] {
  const warned = new Set<string>();
  return (component, markup, call) => {
    const problems = checkMarkup(markup);
    for (const problem of problems) {
      const message = `${describeMarkupProblem(component, problem.message)} ${problem.help}`;
      if (warned.has(message) || warned.size >= MAX) continue;
      warned.add(message);
      feed.emit({ type: 'warning', code: 'unknown-markup', message, call });
    }
    return problems;
  };
}
