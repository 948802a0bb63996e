import type { Markup, MarkupNode } from './markup.js';

/** Stands for the value that a key of the state has when it is needed. */
export interface DynamicState {
  $state: PropertyKey;
}

/** What a press does: an action's name and any other fields. */
export interface Action {
  action: string;
  [field: string]: unknown;
}

export interface Confirm {
  title: string;
  text?: string;
  confirm?: string;
  style?: 'primary' | 'secondary' | 'danger';
}

type Icon = string | Markup;
type Size = 'small' | 'medium' | 'large';

/** An address, whole or in its parts. */
type Address = string | { host: string; pathname: string; query?: object };

interface Children {
  children: MarkupNode;
}

interface Aligned extends Children {
  align?: 'start' | 'center' | 'end';
}

interface ButtonLook {
  onPress: Action;
  trailingIcon?: Icon | undefined;
  style?: 'primary' | 'secondary' | 'danger';
  tooltip?: string | undefined;
  disabled?: boolean | undefined;
  confirm?: Confirm | undefined;
}

/** A button has a label or an icon. */
export type ButtonProps = ButtonLook &
  ({ label: string; icon?: Icon | undefined } | { label?: string | undefined; icon: Icon });

export interface Control {
  icon?: Icon | undefined;
  label: string;
  onPress: Action;
  confirm?: Confirm | undefined;
}

export interface BlockProps extends Children {
  controls?: (Control | Control[])[] | undefined;
}

export interface TextProps extends Children {
  style?: 'bold' | 'italic' | 'strikethrough' | 'code';
}

export interface TextInputProps {
  state: string;
  initialValue?: string | undefined;
  label?: string | undefined;
  placeholder?: string | undefined;
  inputType?: 'text' | 'password' | 'email';
  multiline?: boolean | undefined;
  disabled?: boolean | undefined;
}

export interface InputProps {
  label: string;
  hint?: string | Markup | undefined;
  /** A textinput, select, switch, radio, checkbox, button or codeblock. */
  element: Markup;
}

export interface CardProps {
  children?: MarkupNode;
  title?: string | undefined;
  hint?: string | Markup | (string | Markup)[] | undefined;
  icon?: Icon | null | undefined;
  onPress?: Action | undefined;
  buttons?: Markup[] | undefined;
}

export interface CodeBlockProps {
  content: string | DynamicState;
  syntax?: string | undefined;
  /** Whether lines are numbered, or the number of the first. */
  lineNumbers?: boolean | number | undefined;
  buttons?: Markup[] | undefined;
  /** Makes it editable: where the text is kept. */
  state?: string | undefined;
  onContentChange?: Action | undefined;
  header?: MarkupNode[] | undefined;
  footer?: MarkupNode[] | undefined;
}

export interface ToggleProps {
  state: string;
  value?: string | number | boolean | undefined;
  initialValue?: string | number | boolean | undefined;
  onValueChange?: Action | undefined;
  disabled?: boolean | undefined;
  confirm?: Confirm | undefined;
}

export interface ImageProps {
  source: { url: string };
  aspectRatio: number;
}

export interface WebFrameProps {
  source: { url: string };
  aspectRatio?: number | undefined;
  buttons?: Markup[] | undefined;
  /** Values that are posted to the frame as `{ state }`. */
  data?: Record<string, string | number | boolean | null | undefined | DynamicState> | undefined;
}

export interface SelectOption {
  id: string;
  label: string;
  icon?: Icon | undefined;
  url?: string | undefined;
}

export interface SelectProps {
  state: string;
  /** The options, the address that supplies them, or the name of what the platform has of them. */
  options: SelectOption[] | { url: Address } | { source: string };
  multiple?: boolean | undefined;
  initialValue?: string | string[] | undefined;
  placeholder?: string | undefined;
  onValueChange?: Action | undefined;
  acceptInput?: boolean | undefined;
  disabled?: boolean | undefined;
}

export interface ModalProps extends Children {
  title?: string | undefined;
  subtitle?: MarkupNode;
  size?: 'medium' | 'xlarge' | 'fullscreen';
  submit?: Markup | undefined;
  returnValue?: object | undefined;
}

export interface StepperProps extends Children {
  activeStep: string;
  onSelect?: Action | undefined;
  /** Another step is gone to. */
  onStepChange?: Action | undefined;
  /** The last step is left. */
  onComplete?: Action | undefined;
}

export interface StepProps {
  id: string;
  title?: string | undefined;
  /** Whether the step may be left for the next one. */
  next?: boolean | undefined;
  children?: MarkupNode;
}

/** Every element that is known, and its props. */
export interface Elements {
  block: BlockProps;
  text: TextProps;
  button: ButtonProps;
  textinput: TextInputProps;
  input: InputProps;
  box: Children & { grow?: number | undefined };
  vstack: Aligned;
  hstack: Aligned;
  card: CardProps;
  link: Children & { target: { url: Address } };
  divider: { style?: 'default' | 'line'; size?: Size };
  codeblock: CodeBlockProps;
  switch: ToggleProps;
  checkbox: ToggleProps;
  radio: ToggleProps;
  image: ImageProps;
  webframe: WebFrameProps;
  configuration: Children;
  markdown: { content: string | DynamicState };
  hint: Children;
  select: SelectProps;
  modal: ModalProps;
  stepper: StepperProps;
  step: StepProps;
}
