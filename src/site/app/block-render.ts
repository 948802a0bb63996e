import type { Render } from '../../console/markup/component-session.js';
import type { BlockData, PageData, SealedResult } from '../block-data.js';
import type { Client } from './client.js';

interface BlockRenderOptions {
  data: BlockData;
  page: PageData;
  client: Client;
  theme(): 'light' | 'dark';
}

/**
 * Renders a block through the site. Properties returned by the script are sent back only together with their seal. Until its
 * first render, a block has the properties from its page.
 */
export function createBlockRender({ data, page, client, theme }: BlockRenderOptions): Render {
  /** Keyed by the properties object. The session returns the same object each time. */
  const seals = new WeakMap<object, string>();
  let { pending } = data;

  const note = (result: SealedResult): void => {
    if (result.seal !== undefined && 'props' in result) seals.set(result.props, result.seal);
    if (result.type === 'open-modal') note(result.modal);
  };
  if (data.first) note(data.first);

  return async ({ component, props, ...rest }) => {
    const seal = seals.get(props);
    const isModal = component !== data.component;
    const body =
      pending === undefined
        ? {
            ...rest,
            space: page.space,
            page: page.page,
            nth: data.nth,
            theme: theme(),
            ...(isModal && { component }),
            ...(seal !== undefined && { props, seal }),
          }
        : { pending };
    pending = undefined;
    const result = (await (await client.post('render', body)).json()) as SealedResult;
    note(result);
    return result;
  };
}
