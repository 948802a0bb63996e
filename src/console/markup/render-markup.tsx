import type { ComponentChildren, FunctionComponent, JSX } from 'preact';
import type { ElementName } from '../../protocol/generated/markup-elements.js';
import { ownProperty } from '../../base/own-property.js';
import { ButtonElement } from './elements/button.js';
import { CodeblockElement } from './elements/codeblock.js';
import {
  CheckboxElement,
  InputElement,
  RadioElement,
  SwitchElement,
  TextInputElement,
} from './elements/inputs.js';
import {
  BlockElement,
  BoxElement,
  CardElement,
  ConfigurationElement,
  DividerElement,
  HintElement,
  HstackElement,
  VstackElement,
  ModalElement,
  type ElementProps,
} from './elements/layout.js';
import { ImageElement } from './elements/media.js';
import { SelectElement } from './elements/select.js';
import { StepElement, StepperElement } from './elements/stepper.js';
import { LinkElement, MarkdownElement, TextElement } from './elements/text.js';
import { WebframeElement } from './elements/webframe.js';
import { noteDrawn } from './element-nodes.js';
import { isRecord, readChildren, readText } from './basics/read-markup.js';
import { JsonView } from '../text/json-view.js';
import { useMarkup } from './basics/markup-context.js';

const elements: Readonly<Record<ElementName, FunctionComponent<ElementProps>>> = {
  block: BlockElement,
  text: TextElement,
  button: ButtonElement,
  textinput: TextInputElement,
  input: InputElement,
  box: BoxElement,
  vstack: VstackElement,
  hstack: HstackElement,
  card: CardElement,
  link: LinkElement,
  divider: DividerElement,
  codeblock: CodeblockElement,
  switch: SwitchElement,
  checkbox: CheckboxElement,
  radio: RadioElement,
  image: ImageElement,
  webframe: WebframeElement,
  configuration: ConfigurationElement,
  markdown: MarkdownElement,
  hint: HintElement,
  select: SelectElement,
  modal: ModalElement,
  stepper: StepperElement,
  step: StepElement,
};

/** Rendering stops at this depth, so that infinite nesting cannot hang the page. No real markup is this deep. */
const deepest = 64;

export const renderMarkup = (value: unknown): ComponentChildren => drawAt(value, 0);

function drawAt(value: unknown, depth: number): ComponentChildren {
  return readChildren(value).map((child, index) => {
    if (!isRecord(child)) return readText(child) ?? null;
    if (depth > deepest) return null;
    const Element =
      ownProperty<FunctionComponent<ElementProps>>(elements, readText(child.type) ?? '') ?? UnknownElement;
    return (
      <span class="m-element" key={readText(child.key) ?? index} ref={(node) => noteDrawn(child, node)}>
        <Element element={child} />
      </span>
    );
  });
}

function UnknownElement({ element }: ElementProps): JSX.Element {
  const { type, children, ...props } = element;
  const name = readText(type) ?? 'no type';
  return (
    <div class="stack tight dashed m-unknown" role="group" aria-label={`Unknown element ${name}`}>
      <div class="wrap row small">
        <code>{name}</code>
        <span class="quiet">isn't a known element</span>
      </div>
      {Object.keys(props).length > 0 && <JsonView value={props} label={`Properties of ${name}`} open={1} />}
      {useMarkup().draw(children)}
    </div>
  );
}
