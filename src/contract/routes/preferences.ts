import { Type } from 'typebox';
import { defineRoutes, name, noInput, nothing, text } from '../basics/route.js';

export const preferenceRoutes = defineRoutes({
  'GET /preferences': {
    summary: 'List the stored preferences of the console: theme, layout, drafts',
    input: noInput,
    output: Type.Array(
      Type.Object({
        key: text,
        value: Type.Unknown(),
        current: Type.Boolean({ description: 'Written since the platform was started.' }),
      }),
    ),
    errors: [],
    // A draft contains what its author typed. Masking would change it.
    reveals: true,
  },
  'PUT /preferences/{key}': {
    summary: 'Store a value of up to 64 KiB; without a value, the key is removed',
    input: Type.Object({ key: name, value: Type.Optional(Type.Unknown()) }),
    output: nothing,
    errors: ['too-large'],
  },
});
