import type { ComponentChildren, JSX } from 'preact';

interface ListAndDetailProps {
  list: ComponentChildren;
  /** The open item. If no item is open, the list takes the full width. */
  detail: JSX.Element | false | undefined;
}

/** A list and its selected item. A narrow screen shows only one of them. */
export const ListAndDetail = ({ list, detail }: ListAndDetailProps): JSX.Element => (
  <div class={detail ? 'split open' : 'split'}>
    <div class="column split-list">{list}</div>
    {detail && <div class="split-detail">{detail}</div>}
  </div>
);
