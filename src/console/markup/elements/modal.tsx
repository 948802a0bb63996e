import type { JSX } from 'preact';
import { useMarkup } from '../markup-context.js';
import { readText } from '../read-markup.js';
import type { ElementProps } from './layout.js';

/** The inside of a modal; the frame around it is drawn by who opened it. */
export function ModalElement({ element }: ElementProps): JSX.Element {
  const { draw } = useMarkup();
  return (
    <div class="m-modal" aria-label={readText(element.title)}>
      {draw(element.children)}
      {element.submit !== undefined && <div class="m-modal-submit">{draw(element.submit)}</div>}
    </div>
  );
}
