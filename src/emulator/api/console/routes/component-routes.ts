import type { Handlers } from '../../../../contract/console-api.js';
import type { componentRoutes as contract } from '../../../../contract/routes/components.js';
import type { Blocks } from '../../../state/inserted-blocks.js';
import type { Render } from '../../../calls/render-component.js';

export const componentRoutes = (render: Render, blocks: Blocks): Handlers<keyof typeof contract> => ({
  'POST /render': render,
  'GET /blocks': blocks.all,
  'POST /blocks': ({ props = {}, ...block }) => blocks.insert({ ...block, props }),
  'DELETE /blocks/{block}': ({ block }) => blocks.remove(block),
});
