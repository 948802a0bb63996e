import type { Markup } from './markup-node.js';
import type { Action, Address, Confirm, Icon, SelectOption } from './shared-props.js';

interface ButtonLook {
  /** Action sent to the component when the button is pressed. */
  onPress: Action;
  /** Icon shown after the label. */
  trailingIcon?: Icon | undefined;
  /** Appearance (default: `secondary`). */
  style?: 'primary' | 'secondary' | 'danger';
  /** Text shown while the pointer is over the button. */
  tooltip?: string | undefined;
  /** Prevents the button from being pressed. */
  disabled?: boolean | undefined;
  /** Confirmation prompt shown before the action is sent. */
  confirm?: Confirm | undefined;
}

interface ButtonLabel {
  /** Text on the button. */
  label: string;
}

interface ButtonIcon {
  /** Icon shown before the label. */
  icon: Icon;
}

// Each property is declared only once, because editors show no hover text for a property that is declared in two variants.
/** Properties of a `<button>`, which needs a label, an icon or both. */
export type ButtonProps = ButtonLook & (ButtonLabel | ButtonIcon);

/** Properties of a `<textinput>`. */
export interface TextInputProps {
  /** State key that contains the text. */
  state: string;
  /** Initial text, used while the state key is unset. */
  initialValue?: string | undefined;
  /** Label above the field. */
  label?: string | undefined;
  /** Placeholder text that is shown while the field is empty. */
  placeholder?: string | undefined;
  /** Kind of field (default: `text`). */
  inputType?: 'text' | 'password' | 'email';
  /** Allows several lines. */
  multiline?: boolean | undefined;
  /** Prevents editing. */
  disabled?: boolean | undefined;
}

/** Properties of an `<input>`. */
export interface InputProps {
  /** Label of the control. */
  label: string;
  /** Explanation below the control. */
  hint?: string | Markup | undefined;
  /** The control: a textinput, select, switch, radio, checkbox, button or codeblock. */
  element: Markup;
}

/** Properties of a `<switch>`, `<checkbox>` or `<radio>`. */
export interface ToggleProps {
  /** State key that contains the choice. If its value is an array, users can select several values. */
  state: string;
  /** Value to store when this option is chosen (default: `true`). */
  value?: string | number | boolean | undefined;
  /** Initial value, used while the state key is unset. */
  initialValue?: string | number | boolean | undefined;
  /** Action sent to the component after each change. */
  onValueChange?: Action | undefined;
  /** Prevents changes. */
  disabled?: boolean | undefined;
  /** Confirmation prompt shown before the value changes. */
  confirm?: Confirm | undefined;
}

/** Properties of a `<select>`. */
export interface SelectProps {
  /** State key that contains the id of the choice, or an array of ids if `multiple` is set. */
  state: string;
  /**
   * The options as `{ id, label, icon?, url? }`, the URL of an endpoint that returns them, or the name of one
   * of the platform's lists.
   */
  options:
    | SelectOption[]
    | {
        /** Endpoint that returns the options. It receives the typed text as the query parameter `q`. */
        url: Address;
      }
    | {
        /** Name of the platform's list. */
        source: string;
      };
  /** Lets the user select several options. */
  multiple?: boolean | undefined;
  /** Initial choice, used while the state key is unset. */
  initialValue?: string | string[] | undefined;
  /** Placeholder shown while nothing is selected. */
  placeholder?: string | undefined;
  /** Action sent to the component after each change. */
  onValueChange?: Action | undefined;
  /** Lets the user type a value that is not in the list. */
  acceptInput?: boolean | undefined;
  /** Prevents changes. */
  disabled?: boolean | undefined;
}
