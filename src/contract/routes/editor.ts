import { Type } from 'typebox';
import { count, defineRoutes, name, optional } from '../basics/route.js';

export const editorRoutes = defineRoutes({
  'POST /editor': {
    summary: 'Open a line of a project file with the command in PLATFORM_EDITOR',
    input: Type.Object({ file: name, line: count, column: optional(count) }),
    errors: ['not-found', 'no-editor', 'editor-failed'],
  },
});
