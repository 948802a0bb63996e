import type { ComponentChildren, JSX } from 'preact';

interface ListAndDetailProps {
  list: ComponentChildren;
  /** The item that is open. If no item is open, the list uses the full width. */
  detail: JSX.Element | false | undefined;
}

/** A list and its selected item. On a narrow screen, only the list or only the item is shown. */
export const ListAndDetail = ({ list, detail }: ListAndDetailProps): JSX.Element => (
  <div class={detail ? 'split open' : 'split'}>
    <div class="split-list">{list}</div>
    {detail && <div class="split-detail">{detail}</div>}
  </div>
);
