import { Type } from 'typebox';
import { defineRoutes, described, name, optional, type Static, text, values } from '../basics/route.js';
import { InstallationStatus } from '../basics/resources.js';

const Endpoints = Type.Object({ publicEndpoint: text, publicContentEndpoint: text });

/** The fields of an installation, both in an organization and on a site or in a space. */
const installedFields = {
  status: InstallationStatus,
  configuration: values,
  externalIds: Type.Array(text),
  problems: described(
    Type.Array(Type.Object({ property: text, message: text })),
    'Properties that must be set before the installation becomes active.',
  ),
};
const partFields = { ...installedFields, installation: text, integration: text, urls: Endpoints };

export const InstallationResource = Type.Object({
  id: text,
  organization: text,
  createdAt: Type.Number(),
  target: Type.Union([Type.Literal('all'), Type.Literal('site'), Type.Literal('space')]),
  space_selection: Type.Union([Type.Literal('all'), Type.Literal('selected')]),
  ...installedFields,
  urls: Type.Object({ publicEndpoint: text, publicContentEndpoint: text, app: text }),
  sites: Type.Array(Type.Object({ site: text, space: optional(text), ...partFields })),
  spaces: Type.Array(Type.Object({ space: text, ...partFields })),
});
export type InstallationResource = Static<typeof InstallationResource>;

const Dependent = Type.Object({
  what: described(text, 'What would be removed, with counts, such as "2 webhook endpoints".'),
  names: Type.Array(text),
});
export type Dependent = Static<typeof Dependent>;

const one = Type.Object({ installation: name });
const part = Type.Object({ installation: name, target: name });
const installErrors = ['not-found', 'already-installed', 'wrong-target', 'private', 'link-needed'] as const;

export const installationRoutes = defineRoutes({
  'GET /installations': {
    summary: 'List the installations with their sites and spaces',
    output: Type.Array(InstallationResource),
  },
  'POST /installations': {
    summary: 'Install the integration in an organization, and wait for the setup events',
    input: Type.Object({
      organization: optional(text, 'Default: the first organization.'),
      sites: optional(Type.Array(text)),
      spaces: optional(Type.Array(text)),
      link: optional(text, 'The secret from the install link. Required for unlisted integrations.'),
    }),
    output: InstallationResource,
    errors: installErrors,
  },
  'GET /install-link': {
    summary: "Get an unlisted integration's install link and secret",
    output: Type.Object({ url: text, link: text }),
    reveals: true,
  },
  'GET /installations/{installation}': {
    summary: 'Get an installation',
    input: one,
    output: InstallationResource,
    errors: ['not-found'],
  },
  'GET /installations/{installation}/dependents': {
    summary:
      'List everything that would be removed when the integration is uninstalled or removed from a site or space',
    input: Type.Object({ installation: name, site: optional(text), space: optional(text) }),
    output: Type.Array(Dependent),
    errors: ['not-found'],
  },
  'DELETE /installations/{installation}': {
    summary: 'Uninstall the integration',
    input: one,
    errors: ['not-found'],
  },
  'POST /installations/{installation}/pause': {
    summary: 'Pause an installation, which stops its events, requests and webhooks',
    input: one,
    output: InstallationResource,
    errors: ['not-found'],
  },
  'POST /installations/{installation}/resume': {
    summary: 'Resume a paused installation',
    input: one,
    output: InstallationResource,
    errors: ['not-found'],
  },
  'POST /installations/{installation}/sites/{target}': {
    summary: 'Add an installation to a site',
    input: part,
    output: InstallationResource,
    errors: ['not-found', 'already-installed', 'wrong-target'],
  },
  'DELETE /installations/{installation}/sites/{target}': {
    summary: 'Remove an installation from a site',
    input: part,
    errors: ['not-found'],
  },
  'POST /installations/{installation}/spaces/{target}': {
    summary: 'Add an installation to a space',
    input: part,
    output: InstallationResource,
    errors: ['not-found', 'already-installed', 'wrong-target'],
  },
  'DELETE /installations/{installation}/spaces/{target}': {
    summary: 'Remove an installation from a space',
    input: part,
    errors: ['not-found'],
  },
});
