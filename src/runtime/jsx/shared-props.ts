import type { Markup, MarkupNode } from './markup.js';

/**
 * `{ $state: 'key' }`: replaced by the state key's current value. Create one with
 * `element.dynamicState('key')`.
 */
export interface DynamicState {
  /** The state key. */
  $state: PropertyKey;
}

/** Sent to the component's `action` function, with any fields you add. */
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
  /** Label of the button that confirms. */
  confirm?: string;
  /** Style of the button that confirms. */
  style?: 'primary' | 'secondary' | 'danger';
}

/** The name of an icon, such as `ContentKitIcon.Edit`, or an `<image>`. */
export type Icon = string | Markup;

/** A URL, as text or as its parts. */
export type Address =
  | string
  | {
      /** Host name, with the port if it has one. */
      host: string;
      /** Path, with the leading slash. */
      pathname: string;
      /** Query parameters by name. */
      query?: object;
    };

/** Names a file or page by its URL. */
export interface Source {
  /** An `http:` or `https:` URL. */
  url: string;
}

export interface Children {
  /** Content of the element. */
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
