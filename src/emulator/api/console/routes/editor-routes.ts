import type { Handlers } from '../../../../contract/console-api.js';
import type { editorRoutes as contract } from '../../../../contract/routes/editor.js';
import type { Editor } from '../../../emulator.js';
import { HttpError, notFound } from '../../../http/http-error.js';

export const editorRoutes = ({
  editor,
}: {
  editor: Editor | undefined;
}): Handlers<keyof typeof contract> => ({
  async 'POST /editor'({ file, line, column = 1 }) {
    const result = await editor?.open?.({ file, line, column });
    if (result === undefined) {
      throw new HttpError(409, 'no-editor', 'No editor command is set.', {
        hint: 'Set editor in platform.dev.yaml or the variable PLATFORM_EDITOR, and restart platform dev.',
      });
    }
    if (result.outcome === 'not-found') throw notFound(`${file} is not in this project.`);
    if (result.outcome === 'failed')
      throw new HttpError(502, 'editor-failed', `The editor could not be started: ${result.message}`);
  },
});
