import type { Handlers } from '../../contract/console-api.js';
import type { editorRoutes as contract } from '../../contract/routes/editor.js';
import { HttpError, notFound } from '../http/http-error.js';

/** A line in a project file. */
export interface SourcePosition {
  file: string;
  line: number;
  column: number;
}

export type EditorOutcome = { outcome: 'opened' | 'not-found' } | { outcome: 'failed'; message: string };

/** How to open a line in a project file, either with a link in the console or with a command on this machine. */
export interface Editor {
  /** A link template with the placeholders `{file}`, `{line}` and `{column}`. */
  link?: string;
  open?: (position: SourcePosition) => Promise<EditorOutcome>;
}

export const editorRoutes = (editor: Editor | undefined): Handlers<keyof typeof contract> => ({
  async 'POST /editor'({ file, line, column = 1 }) {
    const result = await editor?.open?.({ file, line, column });
    if (result === undefined) {
      throw new HttpError(409, 'no-editor', 'No editor command is set.', {
        hint: 'Set the environment variable PLATFORM_EDITOR, and restart platform dev.',
      });
    }
    if (result.outcome === 'not-found') throw notFound(`${file} is not in this project.`);
    if (result.outcome === 'failed')
      throw new HttpError(502, 'editor-failed', `The editor could not be started: ${result.message}`);
  },
});
