import type { UIAction } from '../protocol/events.js';
import { elementsIn } from './markup-search.js';

/** The action that a change of this input sets off, where it has one. */
export function changeActionOf(root: unknown, state: string): UIAction | undefined {
  const inputs = [...elementsIn(root)].filter((element) => typeof element.state === 'string');
  const found = inputs.find((element) => element.state === state);
  if (!found) {
    const known = inputs.map((element) => `"${String(element.state)}"`);
    throw new Error(
      `There is no input bound to the state "${state}". ${known.length > 0 ? `There is ${known.join(', ')}.` : 'There is no input at all.'}`,
    );
  }
  if (found.disabled === true) throw new Error(`The input bound to "${state}" is disabled.`);
  return (found.onValueChange ?? found.onContentChange) as UIAction | undefined;
}
