import type { ComponentChildren, JSX } from 'preact';

interface ListAndDetailProps {
  list: ComponentChildren;
  /** What is open. Without it, the list has the whole width. */
  detail: JSX.Element | false | undefined;
}

/** A list with what is selected in it. On a narrow screen, one of the two. */
export const ListAndDetail = ({ list, detail }: ListAndDetailProps): JSX.Element => (
  <div class={detail ? 'split open' : 'split'}>
    <div class="split-list">{list}</div>
    {detail && <div class="split-detail">{detail}</div>}
  </div>
);
