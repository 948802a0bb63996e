import { Type } from 'typebox';
import type { RenderContext, UIAction } from '../../protocol/events.js';
import {
  defineRoutes,
  described,
  name,
  oneOf,
  optional,
  type Static,
  text,
  typed,
  values,
} from '../basics/route.js';
import { FailureResource, MarkupProblemSchema, targetFields } from '../basics/resources.js';

const Action = typed<UIAction>()(Type.Object({ action: text }));

const RenderRequest = Type.Object({
  component: optional(text),
  block: optional(text, "Render this block's component and store its new props."),
  ...targetFields,
  props: optional(values),
  state: optional(values),
  action: optional(Action),
  context: optional(typed<Partial<RenderContext>>()(Type.Object({}))),
  modal: optional(Type.Boolean(), 'Render the component in a modal.'),
  display: optional(
    Type.Boolean(),
    'true: the block is only rendered again to display it. The call is marked as such, and its problems are not counted.',
  ),
  after: optional(text, 'The id of the call that rendered the action.'),
});
export type RenderRequest = Static<typeof RenderRequest>;

const Rendered = Type.Union([
  Type.Object({
    type: oneOf('element'),
    element: Type.Unknown(),
    props: values,
    state: values,
    call: text,
    warnings: optional(Type.Array(MarkupProblemSchema), 'Unknown elements and properties.'),
  }),
  described(
    Type.Object({ type: oneOf('complete'), returnValue: optional(Type.Unknown()), call: text }),
    'The component has finished, so its modal or configuration screen closes.',
  ),
  Type.Object({
    type: oneOf('error'),
    status: Type.Integer(),
    message: text,
    call: optional(text),
    failure: optional(FailureResource),
  }),
]);
export type Rendered = Static<typeof Rendered>;

const RenderResult = Type.Union([
  Rendered,
  Type.Object({ type: oneOf('open-url'), url: text }),
  Type.Object({ type: oneOf('open-modal'), component: text, props: values, modal: Rendered }),
  described(
    Type.Object({ type: oneOf('close-modal'), action: Action }),
    'The action to send afterwards to the component that opened the modal.',
  ),
]);
/** The result after the platform has carried out its own actions. */
export type RenderResult = Static<typeof RenderResult>;

const BlockResource = Type.Object({
  id: text,
  component: text,
  props: values,
  installation: text,
  space: optional(text),
  site: optional(text),
});

export const componentRoutes = defineRoutes({
  'POST /render': {
    summary: 'Render a component or a block, or send an action to it',
    input: RenderRequest,
    output: RenderResult,
    errors: ['not-found', 'not-installed', 'paused', 'missing-scope'],
  },
  'GET /blocks': { summary: 'List the inserted blocks with their props', output: Type.Array(BlockResource) },
  'POST /blocks': {
    summary: 'Insert a block and store its props',
    input: Type.Object({ component: name, ...targetFields, props: optional(values) }),
    output: BlockResource,
    errors: ['not-found', 'not-installed'],
  },
  'DELETE /blocks/{block}': {
    summary: 'Remove a block',
    input: Type.Object({ block: name }),
    errors: ['not-found'],
  },
});
