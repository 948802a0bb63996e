import { Type } from 'typebox';
import { count, defineRoutes, oneOf, optional, type Static, text } from '../basics/route.js';
import { severity } from './overview.js';

const CheckResource = Type.Object({
  id: text,
  verdict: oneOf('pass', 'warn', 'fail', 'review', 'skipped'),
  evidence: text,
  help: optional(text),
});
export type CheckResource = Static<typeof CheckResource>;

const Position = Type.Object({ line: Type.Integer(), column: Type.Integer() });

const DiagnosticResource = Type.Object({
  code: text,
  severity,
  message: text,
  help: optional(text),
  file: text,
  range: optional(Type.Object({ start: Position, end: Position })),
});
export type DiagnosticResource = Static<typeof DiagnosticResource>;

const ListingResource = Type.Object({
  summary: Type.Object({ errors: count, warnings: count, infos: count }),
  diagnostics: Type.Array(DiagnosticResource),
  checks: Type.Array(CheckResource),
});
export type ListingResource = Static<typeof ListingResource>;

export const listingRoutes = defineRoutes({
  'GET /listing': {
    summary: 'Get the problems and checks, as `publish-check --json` prints them',
    output: ListingResource,
    // Returned if the platform runs without the marketplace checks.
    errors: ['not-found'],
  },
});
