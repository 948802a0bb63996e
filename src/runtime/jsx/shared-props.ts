import type { Markup, MarkupNode } from './markup-node.js';

/** `{ $state: 'key' }`: replaced by the current value of the state key. Create it with `element.dynamicState('key')`. */
export interface DynamicState {
  /** The state key. */
  $state: PropertyKey;
}

/** Sent to the component's `action` function together with any fields that you add. */
export interface Action {
  /** Name of the action, such as `save`, or a built-in action such as `@ui.url.open`. */
  action: string;
  [field: string]: unknown;
}

/** A question that the user must confirm first. */
export interface Confirm {
  /** The question. */
  title: string;
  /** Explains the consequences. */
  text?: string;
  /** Label of the confirm button. */
  confirm?: string;
  /** Style of the confirm button. */
  style?: 'primary' | 'secondary' | 'danger';
}

/** The name of an icon, such as `ContentKitIcon.Edit`, or an `<image>`. */
export type Icon = string | Markup;

/** A URL, as a string or in parts. */
export type Address =
  | string
  | {
      /** Host name, with the port if needed. */
      host: string;
      /** Path, with the leading slash. */
      pathname: string;
      /** Query parameters, keyed by name. */
      query?: object;
    };

/** A file or page. */
export interface Source {
  /** An `http:` or `https:` URL. */
  url: string;
}

export interface Children {
  /** The element's content. */
  children: MarkupNode;
}

/** Choice in a `<select>`. */
export interface SelectOption {
  /** Value that is written to the state. */
  id: string;
  /** Text that the user sees. */
  label: string;
  /** Icon shown before the label. */
  icon?: Icon | undefined;
  /** Page that describes the option. */
  url?: string | undefined;
}
