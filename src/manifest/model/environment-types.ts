import type { ConfigurationProperty, ConfigurationSection } from '../../protocol/integration.js';
import type { Manifest } from './manifest.js';

/** `platform-env.d.ts`: what `context.environment` holds in this integration, as types. */
export function renderEnvironmentTypes({
  integration,
  secrets,
}: Pick<Manifest, 'integration' | 'secrets'>): string {
  const { account, site, space } = integration.configurations;
  const sections = [
    renderSection('Configuration', 'The settings of the whole installation.', account),
    renderSection('SiteConfiguration', 'The settings of one site.', site),
    renderSection('SpaceConfiguration', 'The settings of one space.', space),
  ].join('\n');
  const imports = ['Environment as PlatformEnvironment', 'OAuthConfiguration', 'RuntimeContext'].filter(
    (name) => name !== 'OAuthConfiguration' || sections.includes(name),
  );
  return `// Made by \`platform types\` from platform-manifest.yaml: changes to this file are lost.
import type { ${imports.join(', ')} } from 'integration-platform';

${sections}
${renderSecrets(secrets.map(({ name }) => name))}
/** The ids of the blocks, and so of their components. */
export type BlockId = ${union(integration.blocks.map(({ id }) => id)) || 'never'};

export type Environment = Omit<
  PlatformEnvironment<Configuration, SiteConfiguration, SpaceConfiguration>,
  'secrets'
> & { secrets: Secrets };

/** What every handler of this integration is given. */
export type Context = RuntimeContext<Environment>;
`;
}

/** A form's values may be missing until the installation is active, but for those with a default. */
function renderSection(name: string, purpose: string, section: ConfigurationSection | undefined): string {
  const properties = Object.entries(section?.properties ?? {});
  const open = properties.length === 0 || section?.componentId !== undefined;
  const fields = properties.map(([key, property]) => renderProperty(key, property));
  if (open) fields.push('  [key: string]: unknown;\n');
  return `${comment(purpose)}export interface ${name} {\n${fields.join('')}}\n`;
}

function renderProperty(name: string, property: ConfigurationProperty): string {
  const words = [property.title, property.description].filter((text) => text?.trim()).join(': ');
  const sure = 'default' in property && property.default !== undefined;
  return `${words && comment(words, '  ')}  ${renderKey(name)}${sure ? '' : '?'}: ${typeOf(name, property)};\n`;
}

function typeOf(name: string, property: ConfigurationProperty): string {
  if (property.type === 'button') return name === 'oauth_credentials' ? 'OAuthConfiguration' : 'unknown';
  if (property.type === 'string' && property.enum) return union(property.enum);
  return property.type;
}

function renderSecrets(names: readonly string[]): string {
  const fields = names.map((name) => `  ${renderKey(name)}: string;\n`).join('');
  return `${comment('The secrets that the manifest declares.')}export type Secrets = {\n${fields}};\n`;
}

const union = (texts: readonly string[]): string =>
  [...new Set(texts)].map((text) => quote(text)).join(' | ');

const renderKey = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));

const quote = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

function comment(text: string, indent = ''): string {
  const oneLine = text.replaceAll(/\s+/g, ' ').replaceAll('*/', '*\u200B/').trim();
  return `${indent}/** ${oneLine} */\n`;
}
