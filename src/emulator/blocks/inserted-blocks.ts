import type { PlatformBase } from '../state/platform-base.js';
import type { Block } from '../../protocol/block.js';
import { requireInstallation } from '../state/require-installation.js';
import { notFound } from '../http/http-error.js';
import { newId } from '../state/new-id.js';
import { createCollection } from '../state/installation-records.js';

export type Blocks = ReturnType<typeof createBlocks>;

/** A block that is not stored yet. By default, it belongs to the first installation. */
type NewBlock = Omit<Block, 'id' | 'installation'> & { installation?: string };

export function createBlocks(deps: Pick<PlatformBase, 'state' | 'registry' | 'feed'>) {
  const { state, registry, feed } = deps;
  const blocks = createCollection<Block>(state, 'blocks');
  const get = (id: string): Block => {
    const block = blocks.get(id);
    if (!block) throw notFound(`Unknown block: ${id}.`);
    return block;
  };
  const save = (block: Block, change: 'inserted' | 'updated'): Block => {
    blocks.put(block.id, block);
    feed.emit({ type: 'block', block: block.id, change });
    return block;
  };

  const forget = (id: string): void => {
    blocks.delete(id);
    feed.emit({ type: 'block', block: id, change: 'removed' });
  };

  feed.subscribe((event) => {
    if (event.type !== 'installation' || event.change !== 'uninstalled') return;
    for (const { id, installation } of blocks.all())
      if (!registry.installations.get(installation)) forget(id);
  });

  return {
    get,
    all: blocks.all,
    insert: (block: NewBlock) =>
      save(
        { id: newId('block'), ...block, installation: requireInstallation(registry, block.installation).id },
        'inserted',
      ),
    update(id: string, props: Record<string, unknown>) {
      const block = get(id);
      return JSON.stringify(block.props) === JSON.stringify(props)
        ? block
        : save({ ...block, props }, 'updated');
    },
    remove(id: string) {
      get(id);
      forget(id);
    },
  };
}
