import type { ComponentChildren, JSX } from 'preact';

interface TabSetProps {
  /** Unique on the page. */
  name: string;
  tabs: readonly { title: string; content: ComponentChildren }[];
  /** What does not belong to a tab. */
  children?: ComponentChildren;
}

/** The browser moves between the options of a group with the arrow keys, and all panels are part of the page. */
export const TabSet = ({ name, tabs, children }: TabSetProps): JSX.Element => (
  <div class="native-tabs">
    {tabs.map(({ title, content }, at) => (
      <div key={at} class="native-tab">
        <label class="pick">
          <input type="radio" name={name} defaultChecked={at === 0} />
          {title}
        </label>
        <div class="native-panel flow">{content}</div>
      </div>
    ))}
    {children}
  </div>
);
