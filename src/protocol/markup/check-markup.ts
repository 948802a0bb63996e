import { visible } from '../../base/escape-control-characters.js';
import { nearest } from '../../base/did-you-mean.js';
import { ownProperty } from '../../base/own-property.js';
import { markupElements } from '../generated/markup-elements.js';

/** An unknown element, or an unknown property of a known element. */
export interface MarkupProblem {
  element: string;
  property?: string;
  message: string;
  help: string;
}

/**
 * The maximum number of problems to report. That is enough to fix a component, and each further one would cost another
 * search for a similar name.
 */
const MAX = 20;

/** Reports each unknown element and property once. The platform still passes them through. */
export function checkMarkup(markup: unknown): MarkupProblem[] {
  const found = new Map<string, MarkupProblem>();
  const report = (problem: MarkupProblem): void => void found.set(problem.message, problem);
  const queue: unknown[] = [markup];
  for (const node of queue) {
    if (found.size >= MAX) break;
    if (typeof node !== 'object' || node === null) continue;
    if (Array.isArray(node)) {
      for (const item of node) queue.push(item);
      continue;
    }
    const { type, ...properties } = node as Record<string, unknown>;
    if (typeof type !== 'string') {
      // An option or a control. Actions are skipped, because authors choose the fields of their actions.
      if (!('action' in node)) for (const value of Object.values(properties)) queue.push(value);
      continue;
    }
    const known = ownProperty(markupElements, type);
    if (!known) report(unknownElement(type));
    for (const [name, value] of Object.entries(properties)) {
      if (!known ? name === 'children' : ownProperty(known, name)) queue.push(value);
      if (known && !Object.hasOwn(known, name) && found.size < MAX)
        report(unknownProperty(type, name, Object.keys(known)));
    }
  }
  return [...found.values()];
}

/** Adds the component that rendered the markup to the message. */
export const describeMarkupProblem = (component: string, message: string): string =>
  `Component ${component}: ${message}`;

function unknownElement(element: string): MarkupProblem {
  const near = nearest(element, Object.keys(markupElements));
  return {
    element,
    message: `<${shown(element)}> is not an element of the platform.`,
    help: near ? `Did you mean <${near}>?` : "The platform passes it on, but doesn't render it.",
  };
}

function unknownProperty(element: string, property: string, known: string[]): MarkupProblem {
  if (property === 'children') {
    const message = `<${element}> cannot have children.`;
    return { element, property, message, help: `Its properties are ${known.join(', ')}.` };
  }
  const near = nearest(property, known);
  return {
    element,
    property,
    message: `<${element}> has no property "${shown(property)}".`,
    help: near ? `Did you mean "${near}"?` : `Its properties are ${known.join(', ')}.`,
  };
}

const LONGEST_NAME = 60;
/** Shortens a name, because a script can produce names of any length and content. */
const shown = (name: string): string =>
  visible(name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);
