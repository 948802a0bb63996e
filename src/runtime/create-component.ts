import type { RenderContext, UIRenderEvent } from '../protocol/events.js';
import type { ComponentAction } from './component-action.js';
import type { RuntimeCallback, RuntimeContext } from './context.js';
import type { MarkupNode } from './jsx/markup.js';

export interface ComponentRenderCache {
  /** Seconds for which the same props and state render the same. */
  maxAge: number;
}

/** A component at work: what `render` and `action` are given. */
export interface ComponentInstance<Props extends object, State extends object> {
  props: Props;
  state: State;
  context: RenderContext;
  setCache(cache: ComponentRenderCache): void;
  /** Stands in an action or in a webframe's data for the value that the key has by then. */
  dynamicState<Key extends keyof State>(key: Key): { $state: Key };
}

/** A component as `createIntegration` takes it. */
export interface ComponentDefinition<Context extends RuntimeContext = RuntimeContext> {
  componentId: string;
  render: RuntimeCallback<[UIRenderEvent], Promise<Response>, Context>;
}

export type ActionResult<Props extends object, State extends object> =
  | { type?: 'element'; props?: Props; state?: State }
  | { type: 'complete'; returnValue?: object }
  | undefined
  | void;

/**
 * Declares a component of the editor or of the configuration screen.
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
  componentId: string;
  initialState?: State | ((props: Props, renderContext: RenderContext, context: Context) => State);
  /** What a press does. Props and state that are returned replace the former ones whole. */
  action?: RuntimeCallback<
    [ComponentInstance<Props, State>, ComponentAction<Action>],
    ActionResult<Props, State> | Promise<ActionResult<Props, State>>,
    Context
  >;
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
