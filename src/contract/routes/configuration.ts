import { Type } from 'typebox';
import { defineRoutes, optional, type Static, text, values } from '../basics/route.js';
import {
  ConfigurationSectionSchema,
  FiredResource,
  InstallationStatus,
  InstalledTarget,
  targetFields,
} from '../basics/resources.js';

const configurationFields = { target: InstalledTarget, status: InstallationStatus, configuration: values };

const ConfigurationResource = Type.Object({
  ...configurationFields,
  section: optional(ConfigurationSectionSchema),
});
export type ConfigurationResource = Static<typeof ConfigurationResource>;

export const Option = Type.Object({ id: text, label: text, icon: optional(text) });
export type Option = Static<typeof Option>;

export const configurationRoutes = defineRoutes({
  'GET /configuration': {
    summary: 'Get the configuration of an installation, site or space',
    input: Type.Object(targetFields),
    output: ConfigurationResource,
    errors: ['not-found', 'not-installed'],
  },
  'PATCH /configuration': {
    summary: 'Edit the configuration, send the setup event and wait for the script to handle it',
    input: Type.Object({
      ...targetFields,
      set: optional(values),
      unset: optional(Type.Array(text), 'Names of the properties to clear.'),
    }),
    output: Type.Object({ ...configurationFields, fired: FiredResource }),
    errors: ['not-found', 'not-installed', 'no-properties'],
  },
  'GET /options': {
    summary: 'Get the choices of a property with a completion_url, or of a select with a URL',
    input: Type.Object({
      ...targetFields,
      property: optional(text, "The property's name."),
      url: optional(text, 'The URL that returns the choices, instead of a property.'),
      q: optional(text, 'The text that the user has typed so far.'),
    }),
    output: Type.Array(Option),
    errors: ['not-found', 'not-installed', 'no-options'],
  },
});
