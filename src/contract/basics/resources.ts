import { Type } from 'typebox';
import { propertyTypes, type ConfigurationSection } from '../../protocol/integration.js';
import type { PlatformEvent } from '../../protocol/events.js';
import type { SourceFrame } from '../../protocol/log-and-outbound-types.js';
import { count, described, name, oneOf, optional, type Static, text, typed } from './route.js';

// Schemas that several routes accept or return.

/** Names the integration of each item in a list of several. */
export const ofIntegration = optional(text, 'Set if the session runs several integrations.');

/** An installation in the organization, or its installation on one site or in one space. */
export const targetFields = {
  installation: optional(text, 'Installation id. Default: the first installation.'),
  site: optional(text),
  space: optional(text),
};

export const InstalledTarget = Type.Object({
  installation: text,
  site: optional(text),
  space: optional(text),
});
export type InstalledTarget = Static<typeof InstalledTarget>;

export const PlatformEventSchema = described(
  typed<PlatformEvent>()(Type.Object({ type: name, eventId: text, installationId: text })),
  'An event as described in events.schema.json. The other fields depend on its type.',
);

/** An unknown element or property in rendered markup. */
export const MarkupProblemSchema = Type.Object({
  element: text,
  property: optional(text),
  message: text,
  help: text,
});

export const InstallationStatus = oneOf('active', 'pending', 'paused');

export const ConfigurationSectionSchema = typed<ConfigurationSection>()(
  Type.Object({
    properties: Type.Record(Type.String(), Type.Object({ type: oneOf(...propertyTypes) })),
    required: Type.Array(text),
    componentId: optional(text),
  }),
);

/** Bytes as text, or as base64 if they are not UTF-8. */
export const BodyResource = Type.Object({ encoding: oneOf('utf-8', 'base64'), content: text });
export type BodyResource = Static<typeof BodyResource>;

const Header = typed<[name: string, value: string]>()({
  type: 'array',
  prefixItems: [text, text],
  items: false,
  minItems: 2,
});
export const Headers = described(Type.Array(Header), 'Name-value pairs.');
export type Headers = Static<typeof Headers>;

export const SourceFrameResource = described(
  typed<SourceFrame>()(Type.Object({ firstLine: count, lines: Type.Array(text) })),
  'The source code around that line, as it was when the script was built.',
);

export const sourcePosition = Type.Object({ file: text, line: count, column: count });

export const FailureResource = Type.Object({
  message: described(text, 'The error that was thrown.'),
  file: optional(text, 'Path relative to the project folder.'),
  line: optional(count),
  column: optional(count),
  frame: optional(SourceFrameResource),
});
export type FailureResource = Static<typeof FailureResource>;

export const missingScope = described(
  text,
  'The scope that the event needs but the manifest does not request.',
);

export const FiredResource = Type.Union([
  Type.Object({
    outcome: oneOf('ok', 'failed', 'no-handler'),
    call: text,
    event: PlatformEventSchema,
    status: count,
    contentType: text,
    body: BodyResource,
    failure: optional(FailureResource),
    missingScope: optional(missingScope),
  }),
  Type.Object({
    outcome: oneOf('withheld'),
    reason: oneOf('paused', 'not-installed', 'missing-scope'),
    event: PlatformEventSchema,
    scope: optional(text),
    call: optional(text),
  }),
]);
export type FiredResource = Static<typeof FiredResource>;

export const ErrorBody = Type.Object({
  error: described(text, 'The error message.'),
  code: described(text, 'A stable error code.'),
  path: optional(text, 'The invalid field.'),
  given: optional(text, 'The unknown name.'),
  known: optional(Type.Array(text), 'The available names.'),
  problems: optional(Type.Array(Type.Object({ path: text, message: text })), 'All invalid fields.'),
  hint: optional(text, 'What to do next.'),
  call: optional(text, 'The id of the call that failed.'),
});
