import { Type } from 'typebox';
import { propertyTypes, type ConfigurationSection } from '../../protocol/integration.js';
import type { PlatformEvent } from '../../protocol/events.js';
import type { SourceFrame } from '../../protocol/log-and-outbound-types.js';
import { count, name, oneOf, text, typed, type Static } from './route.js';

// Schemas that several routes accept or return.

/** An installation in the organization, or its installation on one site or in one space. */
export const targetFields = {
  installation: Type.Optional(
    Type.String({ description: 'Installation id. Default: the first installation.' }),
  ),
  site: Type.Optional(text),
  space: Type.Optional(text),
};

export const InstalledTarget = Type.Object({
  installation: text,
  site: Type.Optional(text),
  space: Type.Optional(text),
});
export type InstalledTarget = Static<typeof InstalledTarget>;

export const PlatformEventSchema = typed<PlatformEvent>(
  Type.Object(
    { type: name, eventId: text, installationId: text },
    { description: 'An event as described in events.schema.json. The other fields depend on its type.' },
  ),
);

/** An unknown element or property in rendered markup. */
export const MarkupProblemSchema = Type.Object({
  element: text,
  property: Type.Optional(text),
  message: text,
  help: text,
});

export const InstallationStatus = oneOf('active', 'pending', 'paused');

export const ConfigurationSectionSchema = typed<ConfigurationSection>(
  Type.Object({
    properties: Type.Record(Type.String(), Type.Object({ type: oneOf(...propertyTypes) })),
    required: Type.Array(text),
    componentId: Type.Optional(text),
  }),
);

/** Bytes as text, or as base64 if they are not UTF-8. */
export const BodyResource = Type.Object({ encoding: oneOf('utf-8', 'base64'), content: text });
export type BodyResource = Static<typeof BodyResource>;

const Header = typed<[name: string, value: string]>({
  type: 'array',
  prefixItems: [text, text],
  items: false,
  minItems: 2,
});
export const Headers = Type.Array(Header, { description: 'Name-value pairs.' });
export type Headers = Static<typeof Headers>;

export const SourceFrameResource = typed<SourceFrame>(
  Type.Object(
    { firstLine: count, lines: Type.Array(text) },
    { description: 'The source code around that line, as it was when the script was built.' },
  ),
);

/** The reason why a call failed, if the log shows it. */
export const FailureResource = Type.Object({
  message: Type.String({ description: 'The error that was thrown.' }),
  file: Type.Optional(Type.String({ description: 'Path relative to the project folder.' })),
  line: Type.Optional(count),
  column: Type.Optional(count),
  frame: Type.Optional(SourceFrameResource),
});
export type FailureResource = Static<typeof FailureResource>;

export const missingScope = Type.String({
  description: 'The scope that the event needs but the manifest does not request.',
});

/** The result of sending an event to the script. */
export const FiredResource = Type.Union([
  Type.Object({
    outcome: oneOf('ok', 'failed', 'no-handler'),
    call: text,
    event: PlatformEventSchema,
    status: count,
    contentType: text,
    body: BodyResource,
    failure: Type.Optional(FailureResource),
    missingScope: Type.Optional(missingScope),
  }),
  Type.Object({
    outcome: oneOf('withheld'),
    reason: oneOf('paused', 'not-installed', 'missing-scope'),
    event: PlatformEventSchema,
    scope: Type.Optional(text),
    call: Type.Optional(text),
  }),
]);
export type FiredResource = Static<typeof FiredResource>;

export const ErrorBody = Type.Object({
  error: Type.String({ description: 'The error message.' }),
  code: Type.String({ description: 'A stable error code.' }),
  path: Type.Optional(Type.String({ description: 'The invalid field.' })),
  given: Type.Optional(Type.String({ description: 'The unknown name.' })),
  known: Type.Optional(Type.Array(text, { description: 'The available names.' })),
  problems: Type.Optional(
    Type.Array(Type.Object({ path: text, message: text }), { description: 'All invalid fields.' }),
  ),
  hint: Type.Optional(Type.String({ description: 'What to do next.' })),
  call: Type.Optional(Type.String({ description: 'The id of the call that failed.' })),
});
