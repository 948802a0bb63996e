import type { RenderContext, UIAction } from '../../../protocol/events.js';
import type { Block } from '../../../protocol/block.js';
import type { Blocks } from '../../state/inserted-blocks.js';
import { invalid } from '../../http/http-error.js';
import type { Render } from '../../calls/render-component.js';
import { anything, defineRoute, object, placeProperties, text, type ConsoleRoute } from './console-route.js';
import { given, needText, readFlag, readObject, readPlace, readText } from './request-fields.js';

export function componentRoutes({ render, blocks }: { render: Render; blocks: Blocks }): ConsoleRoute[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/render',
      summary: 'Draw a component or a block, or send it an action',
      body: object({
        component: text,
        block: text,
        ...placeProperties,
        props: anything,
        state: anything,
        action: object({ action: text }, ['action']),
        context: anything,
        modal: { type: 'boolean' },
      }),
      answer: 'What there is to show now: an element, a modal, an address to open, the end, or an error.',
      async run({ body }) {
        const request = await body();
        return render({
          ...readPlace(request),
          ...given('component', readText(request, 'component')),
          ...given('block', readText(request, 'block')),
          ...given('props', readObject(request, 'props')),
          ...given('state', readObject(request, 'state')),
          ...given('action', readAction(request)),
          ...given('context', readObject(request, 'context') as Partial<RenderContext> | undefined),
          ...given('modal', readFlag(request, 'modal')),
        });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/blocks',
      summary: 'The blocks that were inserted into documents',
      answer: 'A list of blocks with their props.',
      run: () => blocks.all(),
    }),
    defineRoute({
      method: 'POST',
      path: '/blocks',
      summary: 'Insert a block; its props are kept',
      body: object({ component: text, ...placeProperties, props: anything }, ['component']),
      answer: 'The block.',
      async run({ body }) {
        const request = await body();
        const block: Parameters<Blocks['insert']>[0] = {
          component: needText(request, 'component'),
          props: readObject(request, 'props') ?? {},
          ...readPlace(request),
        };
        return blocks.insert(block) satisfies Block;
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/blocks/{block}',
      summary: 'Remove a block',
      answer: 'Nothing.',
      run: ({ part }) => blocks.remove(part('block')),
    }),
  ];
}

function readAction(body: Record<string, unknown>): UIAction | undefined {
  const action = readObject(body, 'action');
  if (action && typeof action.action !== 'string') {
    throw invalid('An action has a name, under the key action.', { path: 'action.action' });
  }
  return action as UIAction | undefined;
}
