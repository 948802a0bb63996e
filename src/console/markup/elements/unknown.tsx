import type { JSX } from 'preact';
import { JsonView } from '../../text/json-view.js';
import { useMarkup } from '../markup-context.js';
import { readText } from '../read-markup.js';
import type { ElementProps } from './layout.js';

export function UnknownElement({ element }: ElementProps): JSX.Element {
  const { type, children, ...props } = element;
  const name = readText(type) ?? 'no type';
  return (
    <div class="m-unknown" role="group" aria-label={`Unknown element ${name}`}>
      <div class="m-unknown-name">
        <code>{name}</code>
        <span class="quiet">is not an element of the platform</span>
      </div>
      {Object.keys(props).length > 0 && <JsonView value={props} label={`Properties of ${name}`} open={1} />}
      {useMarkup().draw(children)}
    </div>
  );
}
