import { Type } from 'typebox';
import { defineRoutes, described, name, optional, text } from '../basics/route.js';

export const preferenceRoutes = defineRoutes({
  'GET /preferences': {
    summary: 'List the stored console preferences, such as theme, layout and drafts',
    output: Type.Array(
      Type.Object({
        key: text,
        value: Type.Unknown(),
        current: described(Type.Boolean(), 'Whether it was created after the platform started.'),
      }),
    ),
    // Not masked, because masking would change drafts, which must stay exactly as the user typed them.
    reveals: true,
  },
  'PUT /preferences/{key}': {
    summary: 'Store a value of up to 64 KiB, or remove the key if no value is given',
    input: Type.Object({ key: name, value: optional(Type.Unknown()) }),
    errors: ['too-large'],
  },
});
