import type { Handlers } from '../../../../contract/console-api.js';
import type { componentRoutes as contract } from '../../../../contract/routes/components.js';
import type { Blocks } from '../../../state/inserted-blocks.js';
import type { Failures } from '../../../calls/call-failure.js';
import type { Render } from '../../../calls/render-component.js';

export const componentRoutes = ({
  render,
  blocks,
  failures,
}: {
  failures: Failures;
  render: Render;
  blocks: Blocks;
}): Handlers<keyof typeof contract> => ({
  async 'POST /render'(request) {
    const result = await render(request);
    const failure =
      result.type === 'error' && result.call !== undefined ? failures.of(result.call) : undefined;
    return failure ? { ...result, failure } : result;
  },
  'GET /blocks': () => blocks.all(),
  'POST /blocks': ({ props = {}, ...block }) => blocks.insert({ ...block, props }),
  'DELETE /blocks/{block}': ({ block }) => blocks.remove(block),
});
