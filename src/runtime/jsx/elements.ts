import type { ButtonProps, InputProps, SelectProps, TextInputProps, ToggleProps } from './input-props.js';
import type { Markup, MarkupNode } from './markup-node.js';
import type { Action, Address, Children, Confirm, DynamicState, Icon, Source } from './shared-props.js';

export type * from './input-props.js';
export type { Action, Confirm, DynamicState, SelectOption } from './shared-props.js';

/** An entry in a block's menu. */
export interface Control {
  /** Icon shown before the label. */
  icon?: Icon | undefined;
  /** Text of the entry. */
  label: string;
  /** Action sent to the component when the user selects the entry. */
  onPress: Action;
  /** Confirmation prompt shown before the action is sent. */
  confirm?: Confirm | undefined;
}

/** Properties of a `<block>`. */
export interface BlockProps extends Children {
  /** Entries in the block's menu. A nested array is a group. */
  controls?: (Control | Control[])[] | undefined;
}

/** Properties of a `<text>`. */
export interface TextProps extends Children {
  /** Text style. */
  style?: 'bold' | 'italic' | 'strikethrough' | 'code';
}

interface Stack extends Children {
  /** Alignment of the children perpendicular to the stack's direction. */
  align?: 'start' | 'center' | 'end';
}

interface BoxProps extends Children {
  /** Relative share of the free space in a stack, such as 1. */
  grow?: number | undefined;
}

interface LinkProps extends Children {
  /** The destination of the link. */
  target: {
    /** An `http:`, `https:` or `mailto:` URL. */
    url: Address;
  };
}

interface DividerProps {
  /** `line` draws a line (default: `default`, which only adds space). */
  style?: 'default' | 'line';
  /** The space around the divider (default: `medium`). */
  size?: 'small' | 'medium' | 'large';
}

interface MarkdownProps {
  /** Markdown text. */
  content: string | DynamicState;
}

/** Properties of a `<card>`. */
export interface CardProps {
  /** Content below the title and hint. */
  children?: MarkupNode;
  /** First line, emphasized. */
  title?: string | undefined;
  /** Secondary text below the title. */
  hint?: string | Markup | (string | Markup)[] | undefined;
  /** Icon or image before the title. */
  icon?: Icon | null | undefined;
  /** Action sent to the component when the card is pressed. */
  onPress?: Action | undefined;
  /** Buttons at the end of the card. */
  buttons?: Markup[] | undefined;
}

/** Properties of a `<codeblock>`. */
export interface CodeBlockProps {
  /** The code. */
  content: string | DynamicState;
  /** Language of the code, such as `json`. */
  syntax?: string | undefined;
  /** If `true`, lines are numbered from 1. If this is a number, line numbering starts there. */
  lineNumbers?: boolean | number | undefined;
  /** Buttons in the header. */
  buttons?: Markup[] | undefined;
  /** State key that contains the edited code. If it is missing, the code is read-only. */
  state?: string | undefined;
  /** Action sent to the component after each edit. */
  onContentChange?: Action | undefined;
  /** Markup above the code. */
  header?: MarkupNode[] | undefined;
  /** Markup below the code. */
  footer?: MarkupNode[] | undefined;
}

/** Properties of an `<image>`. */
export interface ImageProps {
  /** The image file. */
  source: Source;
  /** Width divided by height. Reserves space while the image loads. */
  aspectRatio: number;
}

/** Properties of a `<webframe>`. */
export interface WebFrameProps {
  /** The page to embed. */
  source: Source;
  /** Width divided by height (default: 16 / 9). The page can change it with a `@webframe.resize` message. */
  aspectRatio?: number | undefined;
  /** Buttons below the frame. */
  buttons?: Markup[] | undefined;
  /** Values posted to the page as `{ state }` once it is ready and whenever they change. */
  data?: Record<string, string | number | boolean | null | undefined | DynamicState> | undefined;
}

/** Properties of a `<modal>`. */
export interface ModalProps extends Children {
  /** Title of the dialog. */
  title?: string | undefined;
  /** Text below the title. */
  subtitle?: MarkupNode;
  /** Size of the dialog (default: `medium`). */
  size?: 'medium' | 'xlarge' | 'fullscreen';
  /** The button that submits the dialog. */
  submit?: Markup | undefined;
  /** Value to send to the component that opened the dialog, when the user closes the dialog. */
  returnValue?: object | undefined;
}

/** Properties of a `<stepper>`. */
export interface StepperProps extends Children {
  /** `id` of the step to show. */
  activeStep: string;
  /** Action sent when the user selects a step. `step` contains the step's id. */
  onSelect?: Action | undefined;
  /** Action sent when the user moves to another step. `step` contains the step's id. */
  onStepChange?: Action | undefined;
  /** Action sent when the user completes the last step. */
  onComplete?: Action | undefined;
}

/** Properties of a `<step>`. */
export interface StepProps {
  /** Identifies the step in `activeStep` and in actions. */
  id: string;
  /** Title in the list of steps. */
  title?: string | undefined;
  /** If `false`, the button to the next step is disabled. */
  next?: boolean | undefined;
  /** Content of the step. */
  children?: MarkupNode;
}

/** Every platform element with its properties. */
export interface Elements {
  /** Root of a component in a document. */
  block: BlockProps;
  /** Text, optionally with a style. */
  text: TextProps;
  /** Button that sends an action. */
  button: ButtonProps;
  /** Text field bound to a state key. */
  textinput: TextInputProps;
  /** Label and hint for a control. */
  input: InputProps;
  /** Container that can fill free space in a stack. */
  box: BoxProps;
  /** Arranges its children from top to bottom. */
  vstack: Stack;
  /** Arranges its children in a row. */
  hstack: Stack;
  /** Framed summary with a title, hint, icon and buttons. */
  card: CardProps;
  /** Link that opens in a new tab. */
  link: LinkProps;
  /** Separates two pieces of content. */
  divider: DividerProps;
  /** Code, editable if `state` is set. */
  codeblock: CodeBlockProps;
  /** Switch bound to a state key. */
  switch: ToggleProps;
  /** Checkbox bound to a state key. */
  checkbox: ToggleProps;
  /** Radio button. Radio buttons with the same `state` form a group. */
  radio: ToggleProps;
  /** Image from a URL. */
  image: ImageProps;
  /** Web page in a sandboxed frame. */
  webframe: WebFrameProps;
  /** Root of a configuration screen. */
  configuration: Children;
  /** Rendered Markdown. */
  markdown: MarkdownProps;
  /** Highlighted note. */
  hint: Children;
  /** Menu of options bound to a state key. */
  select: SelectProps;
  /** Root of a component that opens with the action `@ui.modal.open`. */
  modal: ModalProps;
  /** Guides the user through steps. */
  stepper: StepperProps;
  /** A step in a stepper. */
  step: StepProps;
}
