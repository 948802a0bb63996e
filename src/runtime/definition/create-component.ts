import type { RenderContext, UIRenderEvent } from '../../protocol/events.js';
import type { ComponentAction } from './component-action.js';
import type { RuntimeCallback, RuntimeContext } from './context.js';
import type { MarkupNode } from '../jsx/markup-node.js';

/** How long a rendered component may be cached. */
export interface ComponentRenderCache {
  /** How long the platform may reuse the result for the same props and state, in seconds. */
  maxAge: number;
}

/** The component that is passed to `render` and `action`. */
export interface ComponentInstance<Props extends object, State extends object> {
  /** Stored with the block in the document. */
  props: Props;
  /** Kept while the component is open. Inputs write the key in their `state` property. */
  state: State;
  /** Where the component is rendered: document or configuration screen, theme, space and site. */
  context: RenderContext;
  /** Lets the platform reuse this rendering for a while. */
  setCache(cache: ComponentRenderCache): void;
  /** A placeholder in an action or in a webframe's `data`. When it is used, it is replaced by the key's current value. */
  dynamicState<Key extends keyof State>(key: Key): { $state: Key };
}

/** A component to pass to `createIntegration` in `components`. */
export interface ComponentDefinition<Context extends RuntimeContext = RuntimeContext> {
  /** The id under which the platform renders it. */
  componentId: string;
  /** Renders the component as a response. */
  render: RuntimeCallback<[UIRenderEvent], Promise<Response>, Context>;
}

/** What `action` returns: new props and state, or `complete` to close the component. */
export type ActionResult<Props extends object, State extends object> =
  | { type?: 'element'; props?: Props; state?: State }
  | { type: 'complete'; returnValue?: object }
  | undefined
  | void;

/**
 * Creates a component for documents or for the configuration screen.
 *
 * @example
 * ```tsx
 * import { createComponent } from 'integration-platform';
 *
 * export const counter = createComponent<{ start?: number }, { count: number }, { action: 'add' }>({
 *   componentId: 'counter',
 *   initialState: (props) => ({ count: props.start ?? 0 }),
 *   action: async (element, action) => {
 *     if (action.action === 'add') return { state: { count: element.state.count + 1 } };
 *   },
 *   render: async (element) => (
 *     <block>
 *       <button label={`Pressed ${element.state.count} times`} onPress={{ action: 'add' }} />
 *     </block>
 *   ),
 * });
 * ```
 */
export const createComponent = <
  Props extends object = {},
  State extends object = {},
  Action = void,
  Context extends RuntimeContext = RuntimeContext,
>(component: {
  /** Id of the component, as in the manifest's `blocks` or `componentId`. */
  componentId: string;
  /** State for the first render, or a function that derives it from the props. */
  initialState?: State | ((props: Props, renderContext: RenderContext, context: Context) => State);
  /** Handles an action. The returned `props` and `state` completely replace the current ones. */
  action?: RuntimeCallback<
    [ComponentInstance<Props, State>, ComponentAction<Action>],
    ActionResult<Props, State> | Promise<ActionResult<Props, State>>,
    Context
  >;
  /** Returns the component's markup. Runs again after each action. */
  render: RuntimeCallback<
    [ComponentInstance<Props, State>],
    MarkupNode | void | Promise<MarkupNode | void>,
    Context
  >;
}): ComponentDefinition<Context> => {
  const { componentId, initialState, action: act, render } = component;

  return {
    componentId,
    async render(event, context) {
      const props = (event.props ?? {}) as Props;
      let cache: ComponentRenderCache | undefined;
      let element: ComponentInstance<Props, State> = {
        props,
        state:
          (event.state as State | undefined) ??
          (typeof initialState === 'function' ? initialState(props, event.context, context) : initialState) ??
          ({} as State),
        context: event.context,
        setCache: (wanted) => (cache = wanted),
        dynamicState: (key) => ({ $state: key }),
      };
      const answer = (output: object): Response =>
        Response.json(output, cache && { headers: { 'Cache-Control': `max-age=${cache.maxAge}` } });

      if (event.action && act) {
        const result = await act(element, event.action as ComponentAction<Action>, context);
        if (result?.type === 'complete') return answer(result);
        element = { ...element, props: result?.props ?? props, state: result?.state ?? element.state };
      }
      const markup = (await render(element, context)) ?? null;
      return answer({ type: 'element', state: element.state, props: element.props, element: markup });
    },
  };
};
