import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { PageResource } from '../../contract/routes/content.js';
import { DiffView } from '../text/diff-view.js';
import { Button } from '../ui/button.js';
import { CodeField, selectAt } from '../ui/form/code-field.js';

/** Text that was typed but not saved, with the version of the page that it is based on. */
export interface PageDraft {
  text: string;
  over: PageResource;
}

interface PageSourceProps {
  page: PageResource;
  draft: PageDraft | undefined;
  setDraft: (draft: PageDraft | undefined) => void;
  /** Saves the text in place of this version. */
  onSave: (text: string, over: PageResource) => Promise<void>;
}

/** The page's Markdown, with its problems. If the file has changed since, the user decides which text to keep. */
export function PageSource({ page, draft, setDraft, onSave }: PageSourceProps): JSX.Element {
  const area = useRef<HTMLTextAreaElement>(null);
  const source = toLines(page.text);
  const text = draft?.text ?? source;
  const changed = draft !== undefined && draft.text !== source;
  const isOutdated = changed && draft.over.hash !== page.hash;
  // A text field replaces the line endings of its value.
  const save = (): Promise<void> =>
    onSave(page.text.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text, page);
  const goTo = (line: number, column: number): void => {
    const before = text.split('\n').slice(0, line - 1);
    const at = before.reduce((sum, { length }) => sum + length + 1, column - 1);
    selectAt(area, at);
  };
  return (
    <div
      class="stack page-source"
      onKeyDown={(event) => {
        if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return;
        event.preventDefault();
        if (changed && !isOutdated) void save();
      }}
    >
      {page.problems.map(({ message, help, line, column }) => (
        <p key={`${line} ${column} ${message}`} class="small">
          <button type="button" class="text-button" onClick={() => goTo(line, column)}>
            Line {line}
          </button>{' '}
          {message} {help}
        </p>
      ))}
      <CodeField
        label="Markdown"
        rows={28}
        value={text}
        area={area}
        onChange={(value) =>
          setDraft(value === source ? undefined : { text: value, over: draft?.over ?? page })
        }
      />
      {isOutdated && (
        <div class="notice warn" role="alert">
          <div class="grow stack">
            <p>The file has changed since you started typing. Saving replaces it with your text.</p>
            <DiffView before={source} after={text} label="What saving would change" />
          </div>
        </div>
      )}
      <div class="row">
        <Button kind="primary" disabled={!changed} onPress={() => void save()}>
          {isOutdated ? 'Replace the file with my text' : 'Save'}
        </Button>
        {changed && <Button onPress={() => setDraft(undefined)}>Discard my text</Button>}
      </div>
    </div>
  );
}

const toLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n');
