import type { JSX } from 'preact';
import { errorMessage } from '../../base/text/error-message.js';
import type { PlatformSettings } from '../../contract/routes/overview.js';
import { api } from '../api/fetch-api.js';
import { showControls } from './show-controls.js';
import { copyText } from '../ui/copy-button.js';
import { createCell, useCell } from '../ui/state/observable-cell.js';
import { showToast } from '../ui/toasts.js';

/** How to open a line. Undefined if not known yet or if no editor is set. */
export const editorSetting = createCell<PlatformSettings['editor']>(undefined);

interface SourceLinkProps {
  file: string;
  line?: number | undefined;
  column?: number | undefined;
}

/** A link that opens a line in the editor. If no editor is set, copies the position instead. */
export function SourceLink({ file, line, column }: SourceLinkProps): JSX.Element {
  const editor = useCell(editorSetting);
  const text = [file, line, column].filter((part) => part !== undefined).join(':');
  const shown = showControls(text);
  if (editor?.link !== undefined) {
    const values = { file: file.split('/').map(encodeURIComponent).join('/'), line, column };
    const href = editor.link.replace(/\{(file|line|column)\}/g, (_, name: keyof typeof values) =>
      String(values[name] ?? 1),
    );
    return (
      <a class="source-link" dir="ltr" href={href} title="Open in the editor">
        {shown}
      </a>
    );
  }
  const open = (): void => {
    if (!editor) return void copyText(text);
    api('POST /editor', { file, line: line ?? 1, column: column ?? 1 }).catch((error: unknown) =>
      showToast(errorMessage(error), 'bad'),
    );
  };
  return (
    <button
      type="button"
      class="source-link"
      dir="ltr"
      title={
        editor
          ? 'Open in the editor'
          : 'Copy the path. To open files in your editor, set "editor" in platform.dev.yaml.'
      }
      onClick={open}
    >
      {shown}
    </button>
  );
}
