import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { IntegrationBlock } from '../../protocol/integration.js';
import type { PageBlockOf } from '../../protocol/page/page-blocks.js';
import { BlockIcon } from '../blocks/block-icon.js';
import { Button } from '../ui/button.js';
import { useCell } from '../ui/state/observable-cell.js';
import { Status } from '../ui/status.js';
import type { PageSession } from './use-page-sessions.js';

interface PageBlocksProps {
  blocks: readonly PageBlockOf[];
  /** The blocks that the manifest declares. */
  known: readonly IntegrationBlock[];
  /** Empty if the integration is not installed in the space. */
  sessions: readonly PageSession[];
  onSelect: (nth: number) => void;
  onInsert: () => void;
}

/** Lists the integration's blocks on a page and shows which have failed. */
export function PageBlocks(props: PageBlocksProps): JSX.Element {
  const { blocks, known, sessions, onSelect, onInsert } = props;
  return (
    <section class="stack" aria-label="Blocks on this page">
      {blocks.length === 0 && <p class="quiet">The page has no blocks from this integration yet.</p>}
      <ul class="column page-blocks">
        {blocks.map((of, nth) => {
          const block = known.find(({ id }) => id === of.component);
          const held = sessions[nth];
          return (
            block && (
              <li key={nth}>
                <button
                  type="button"
                  class="bar pick option quick-option"
                  disabled={!held}
                  onClick={() => onSelect(nth)}
                >
                  <BlockIcon block={block} />
                  <span class="column cut">
                    <span class="semi cut">{block.title}</span>
                    <span class="quiet small cut">{firstText(of.props) ?? block.description}</span>
                  </span>
                  {held && <Failed held={held} />}
                </button>
              </li>
            )
          );
        })}
      </ul>
      <div>
        <Button icon="plus" onPress={onInsert}>
          Insert a block
        </Button>
      </div>
    </section>
  );
}

function Failed({ held }: { held: PageSession }): JSX.Element | null {
  const { error } = useCell(held.session.view);
  return error ? <Status tone="bad">failed</Status> : null;
}

/** The first text in the properties, which distinguishes blocks of the same kind. */
const firstText = (props: Record<string, unknown>): string | undefined =>
  Object.values(props).find((value) => typeof value === 'string' && value.trim() !== '') as
    | string
    | undefined;

/** Whether the last render of a block on the page has failed. */
export function useAnyFailed(sessions: readonly PageSession[]): boolean {
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const look = (): void => setFailed(sessions.some(({ session }) => session.view.get().error));
    look();
    const ends = sessions.map(({ session }) => session.view.subscribe(look));
    return () => ends.forEach((end) => end());
  });
  return failed;
}
