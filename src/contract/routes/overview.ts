import { Type } from 'typebox';
import type { BuildReport } from '../../protocol/build-report.js';
import type { Integration } from '../../protocol/integration.js';
import { consentModes } from '../../protocol/oauth/oauth-outcomes.js';
import {
  count,
  defineRoutes,
  described,
  oneOf,
  optional,
  type Static,
  text,
  typed,
} from '../basics/route.js';
import { InstallationResource } from './installations.js';

const visibility = oneOf('public', 'unlisted', 'private');

const Organization = Type.Object({ id: text, title: text, subdomain: optional(text) });

export const SpaceResource = Type.Object({
  object: oneOf('space'),
  id: text,
  title: text,
  emoji: optional(text),
  organization: text,
  visibility,
  revision: text,
  createdAt: text,
  updatedAt: text,
  urls: Type.Object({ app: text, published: text, public: optional(text) }),
});
export type SpaceResource = Static<typeof SpaceResource>;

export const SiteResource = Type.Object({
  object: oneOf('site'),
  id: text,
  title: text,
  organization: text,
  spaces: Type.Array(text),
  adaptiveContent: Type.Object({ enabled: Type.Boolean() }),
  urls: Type.Object({ app: text, published: text }),
});
export type SiteResource = Static<typeof SiteResource>;

export const severity = oneOf('error', 'warning', 'info');

const BuildReportSchema = typed<BuildReport>()(
  Type.Object({
    ok: Type.Boolean(),
    what: oneOf('manifest', 'script'),
    time: Type.Number(),
    durationMs: optional(Type.Number()),
    problems: Type.Array(Type.Object({ code: text, severity, message: text, file: text })),
    typesNotChecked: optional(text, 'Why types are not checked even though --typecheck is set.'),
  }),
);

/** The normalized manifest, with the names of its secrets instead of their values. */
const IntegrationResource = typed<
  Omit<Integration, 'secrets' | 'unsetSecrets' | 'organizationInTarget'> & { secrets: string[] }
>()(
  Type.Object({
    name: text,
    title: text,
    description: text,
    organization: text,
    visibility,
    scopes: Type.Array(text),
    previewImages: Type.Array(text),
    categories: Type.Array(text),
    blocks: Type.Array(Type.Object({ id: text, title: text })),
    externalLinks: Type.Array(Type.Object({ label: text, url: text })),
    configurations: Type.Object({}),
    secrets: Type.Array(text),
    target: oneOf('all', 'site', 'space'),
    contentSources: Type.Array(Type.Object({ id: text })),
  }),
);

const PlatformSettings = Type.Object({
  scopes: oneOf('warn', 'enforce'),
  oauth: oneOf(...consentModes),
  oauthProvider: oneOf('local', 'real'),
  runtime: optional(
    text,
    'The runtime that executes the script: "Node", or its name and version, such as "workerd 1.20251101.0".',
  ),
  environment: optional(text),
  publicUrl: optional(text),
  editor: optional(
    Type.Object({
      link: optional(text, 'URL with {file}, {line} and {column}. If it is absent, use POST /editor.'),
    }),
    'The editor that opens a line of a project file. Absent if no editor is set.',
  ),
  platformVersion: text,
});
export type PlatformSettings = Static<typeof PlatformSettings>;

const PlatformResource = Type.Object({
  integration: IntegrationResource,
  version: count,
  build: optional(text),
  versionSince: optional(Type.Number(), 'When the current version began.'),
  lastBuild: optional(BuildReportSchema),
  urls: Type.Object({
    console: text,
    envelope: text,
    api: text,
    publicEndpoint: text,
    publicContentEndpoint: text,
  }),
  clockAhead: Type.Number({
    description: "How many milliseconds the platform's clock is ahead of the machine's.",
  }),
  settings: PlatformSettings,
  organizations: Type.Array(Organization),
  spaces: Type.Array(SpaceResource),
  sites: Type.Array(SiteResource),
  installations: Type.Array(InstallationResource),
});
export type PlatformResource = Static<typeof PlatformResource>;

const SessionIntegration = Type.Object({
  name: text,
  title: text,
  running: Type.Boolean(),
  reason: optional(text, 'Why the integration is not running.'),
  key: described(text, "The key of this integration's console, for X-Platform-Token."),
});
export type SessionIntegration = Static<typeof SessionIntegration>;

export const overviewRoutes = defineRoutes({
  'GET /overview': {
    summary: "Get the integration, its URLs, its installations and the platform's settings",
    output: PlatformResource,
  },
  'GET /integrations': {
    summary: 'List the integrations of the session, with the key for each of them',
    output: Type.Array(SessionIntegration),
    reveals: true,
  },
  'GET /spaces': { summary: 'List the spaces', output: Type.Array(SpaceResource) },
  'GET /sites': { summary: 'List the sites', output: Type.Array(SiteResource) },
  'GET /pages': {
    summary: 'Count the console and site pages that have connected since the platform started',
    output: Type.Object({ connected: count, site: count }),
  },
});
