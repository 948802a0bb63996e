import type { Installation } from './environment.js';
import type { Scope } from './scopes.js';

/** The normalized manifest: everything the platform knows about an integration. */
export interface Integration {
  name: string;
  title: string;
  description: string;
  summary?: string;
  organization: string;
  visibility: 'private' | 'unlisted' | 'public';
  scopes: Scope[];
  /**
   * A path relative to the manifest's folder, with `/` as the separator. `icon` and `previewImages` contain paths of the same
   * kind.
   */
  script?: string;
  icon?: string;
  previewImages: string[];
  categories: string[];
  blocks: IntegrationBlock[];
  externalLinks: { label: string; url: string }[];
  configurations: {
    account?: ConfigurationSection;
    site?: ConfigurationSection;
    space?: ConfigurationSection;
  };
  /** The values of the secrets. Secrets whose environment variable is not set are omitted. */
  secrets: Record<string, string>;
  /** Names of the secrets whose environment variable is not set. */
  unsetSecrets?: string[];
  target: 'all' | 'site' | 'space';
  /** Set for scripts of another platform that read the organization's id in the installation's `target`. */
  organizationInTarget?: true;
  contentSources: { id: string; title?: string; description?: string; [key: string]: unknown }[];
}

/** Returns the `target` of an installation as the script reads it. */
export const targetOfInstallation = (
  { target, organizationInTarget }: Pick<Integration, 'target' | 'organizationInTarget'>,
  organization: string,
): Installation['target'] =>
  // The types describe what scripts of this platform read.
  organizationInTarget ? ({ organization } as unknown as Installation['target']) : target;

export interface IntegrationBlock {
  id: string;
  title: string;
  description?: string;
  icon?: string;
  urlUnfurl: string[];
  markdown?: { codeblock: string; body: string };
}

export interface ConfigurationSection {
  properties: Record<string, ConfigurationProperty>;
  required: string[];
  /** A component that is shown instead of the generated form. */
  componentId?: string;
}

interface PropertyText {
  title?: string;
  description?: string;
}

export const propertyTypes = ['string', 'number', 'boolean', 'button'] as const;

export type ConfigurationProperty =
  | (PropertyText & { type: 'string'; default?: string; enum?: string[]; completion_url?: string })
  | (PropertyText & { type: 'number'; default?: number })
  | (PropertyText & { type: 'boolean'; default?: boolean })
  | (PropertyText & { type: 'button'; button_text: string; callback_url: string });

/** The name that stands for all integrations of a session. */
export const allIntegrations = '*';
