import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageResource } from '../../contract/routes/content.js';
import type { IntegrationBlock } from '../../protocol/integration.js';
import type { PageBlockOf } from '../../protocol/page/page-blocks.js';
import type { Values } from '../markup/basics/read-markup.js';
import type { ComponentSession } from '../markup/component-session.js';
import { ValuesEditor } from '../blocks/values-editor.js';
import { Icon } from '../ui/icon.js';

const words = {
  all: 'properties',
  one: 'property',
  none: 'The block has no properties yet. Add one that the component reads, or edit them as JSON.',
};

/** Saves only after a pause in typing. Otherwise, every key press would create a revision and an event. */
const pauseMs = 500;

interface PropertiesPanelProps {
  page: PageResource;
  of: PageBlockOf;
  block: IntegrationBlock;
  nth: number;
  session: ComponentSession | undefined;
  /** Writes the properties to the version of the page that they were edited on. Resolves to the page after the change. */
  save: (props: Values, on: PageResource) => Promise<PageResource | undefined>;
  /** Shows the list of blocks again. */
  onBack: () => void;
}

/** The properties in the selected block's tag or code fence. */
export function PropertiesPanel(props: PropertiesPanelProps): JSX.Element {
  const { page, of, block, nth, session, save, onBack } = props;
  const [draft, setDraft] = useState<Values>();
  const [state, setState] = useState<'saving' | 'saved' | 'rejected'>();
  /** Values that the user has typed, and the page that they belong to. */
  const waiting = useRef<
    { values: Values; on: PageResource; timer: ReturnType<typeof setTimeout> } | undefined
  >(undefined);

  const flush = async (): Promise<void> => {
    const held = waiting.current;
    if (!held) return;
    clearTimeout(held.timer);
    setState('saving');
    const written = await save(held.values, held.on);
    const newer = waiting.current !== held && waiting.current;
    if (newer && written) newer.on = written;
    if (newer) return;
    waiting.current = undefined;
    setState(written ? 'saved' : 'rejected');
    if (written) setDraft(undefined);
  };
  const latestFlush = useRef(flush);
  latestFlush.current = flush;
  // Saves when the panel closes, for example because the user selects another block before the pause is over.
  useEffect(() => () => void latestFlush.current(), []);

  const { markdown, title, description } = block;
  return (
    <section class="stack" aria-label="Properties">
      <div>
        <button type="button" class="page-all-blocks" onClick={onBack}>
          <Icon name="left" size={14} /> All blocks
        </button>
        <h2 class="cut">{title}</h2>
        {description && <p class="quiet small">{description}</p>}
      </div>
      <ValuesEditor
        block={`${page.id} ${nth} ${of.component}`}
        words={words}
        values={draft ?? of.props}
        onChange={(values) => {
          const on = waiting.current?.on ?? page;
          if (waiting.current) clearTimeout(waiting.current.timer);
          waiting.current = { values, on, timer: setTimeout(() => void latestFlush.current(), pauseMs) };
          setDraft(values);
          return session?.redraw({ props: values }) ?? Promise.resolve();
        }}
      />
      {markdown && of.node.kind === 'code' && (
        <p class="quiet small">
          This block is a code fence: its text is <code>{markdown.body}</code>, and no other property is
          stored.
        </p>
      )}
      <p class="quiet small" role="status">
        {state === 'saving' && 'Saving…'}
        {state === 'saved' && `Saved in ${page.file ?? 'the page'}`}
        {state === 'rejected' && 'Not saved'}
      </p>
    </section>
  );
}
