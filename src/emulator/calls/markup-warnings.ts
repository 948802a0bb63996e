import {
  checkMarkup,
  describeMarkupProblem,
  type MarkupProblem,
} from '../../protocol/markup/check-markup.js';
import type { EventFeed } from '../live/event-feed.js';

/** A script can make up names without end. */
const MOST = 1000;

/** Checks what a component rendered. Each problem is a warning once, and part of every result that has it. */
export function createMarkupWarnings(
  feed: EventFeed,
): (component: string, markup: unknown, call: string) => MarkupProblem[] {
  const warned = new Set<string>();
  return (component, markup, call) => {
    const problems = checkMarkup(markup);
    for (const problem of problems) {
      const message = `${describeMarkupProblem(component, problem.message)} ${problem.help}`;
      if (warned.has(message) || warned.size >= MOST) continue;
      warned.add(message);
      feed.emit({ type: 'warning', code: 'unknown-markup', message, call });
    }
    return problems;
  };
}
