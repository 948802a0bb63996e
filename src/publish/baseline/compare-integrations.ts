import { checkConfiguration } from '../../emulator/index.js';
import type { Path } from '../../diagnostics/model/rule.js';
import type { Manifest } from '../../manifest/index.js';
import type {
  ConfigurationProperty,
  ConfigurationSection,
  Integration,
  IntegrationBlock,
} from '../../protocol/integration.js';
import type { Baseline } from './baseline.js';

interface BreakingChange {
  message: string;
  path: Path;
}

const reach = ['private', 'unlisted', 'public'];

/** Returns the changes that break existing installations or documents, or that require users to consent again. */
export function compareIntegrations(
  former: Pick<Baseline, 'integration' | 'secrets'>,
  { integration: now, secrets }: Pick<Manifest, 'integration' | 'secrets'>,
): BreakingChange[] {
  const before = former.integration;
  const changes: BreakingChange[] = [];
  if (before.name !== now.name) changes.push({ message: `The name was ${before.name}.`, path: ['name'] });
  if (reach.indexOf(now.visibility) < reach.indexOf(before.visibility))
    changes.push({ message: `The visibility was ${before.visibility}.`, path: ['visibility'] });
  if (now.target !== 'all' && now.target !== before.target)
    changes.push({ message: `The target was ${before.target}.`, path: ['target'] });
  now.scopes.forEach((scope, index) => {
    if (!before.scopes.includes(scope))
      changes.push({ message: `The scope ${scope} is new.`, path: ['scopes', index] });
  });
  for (const name of former.secrets)
    if (secrets.every((secret) => secret.name !== name))
      changes.push({ message: `The secret ${name} was removed.`, path: ['secrets'] });
  for (const { id } of before.contentSources)
    if (now.contentSources.every((source) => source.id !== id))
      changes.push({ message: `The content source ${id} was removed.`, path: ['contentSources'] });
  return [
    ...changes,
    ...before.blocks.flatMap((block) => compareBlock(block, now)),
    ...compareSettings(before, now),
  ];
}

function compareBlock({ id, urlUnfurl, markdown }: IntegrationBlock, now: Integration): BreakingChange[] {
  const index = now.blocks.findIndex((block) => block.id === id);
  const block = now.blocks[index];
  if (!block) return [{ message: `The block ${id} was removed.`, path: ['blocks'] }];
  const changes: BreakingChange[] = [];
  const path = (key: string, isThere: boolean): Path => ['blocks', index, ...(isThere ? [key] : [])];
  const lost = urlUnfurl.filter((pattern) => !block.urlUnfurl.includes(pattern));
  if (lost.length > 0) {
    const message = `The block ${id} no longer unfurls ${lost.join(', ')}.`;
    changes.push({ message, path: path('urlUnfurl', block.urlUnfurl.length > 0) });
  }
  if (markdown && markdown.codeblock !== block.markdown?.codeblock) {
    const message = `The block ${id} was the code block ${markdown.codeblock} in Markdown.`;
    changes.push({ message, path: path('markdown', block.markdown !== undefined) });
  } else if (markdown && markdown.body !== block.markdown?.body) {
    const message = `The block ${id} had the property ${markdown.body} as its body in Markdown.`;
    changes.push({ message, path: path('markdown', true) });
  }
  return changes;
}

const emptySection: ConfigurationSection = { properties: {}, required: [] };

function compareSettings(before: Integration, now: Integration): BreakingChange[] {
  return (['account', 'site', 'space'] as const).flatMap((section) => {
    const former: ConfigurationSection = before.configurations[section] ?? emptySection;
    const present: ConfigurationSection = now.configurations[section] ?? emptySection;
    const path = ['configurations', section];
    const gone = Object.keys(former.properties)
      .filter((name) => !present.properties[name])
      .map((name) => ({ message: `The property ${name} of configurations.${section} was removed.`, path }));
    const other = Object.entries(former.properties)
      .filter(([name, { type }]) => (present.properties[name]?.type ?? type) !== type)
      .map(([name, { type }]) => ({
        message: `The property ${name} of configurations.${section} was a ${type}.`,
        path: [...path, 'properties', name, 'type'],
      }));
    const narrowed = Object.entries(former.properties).flatMap(([name, property]): BreakingChange[] => {
      const lost = lostChoices(property, present.properties[name]);
      if (lost === undefined) return [];
      const message = `The property ${name} of configurations.${section} ${lost}.`;
      return [{ message, path: [...path, 'properties', name, 'enum'] }];
    });
    const changed = Object.entries(former.properties).flatMap(([name, property]): BreakingChange[] => {
      const lost = lostFields(property, present.properties[name]);
      return lost.map((what) => ({
        message: `The property ${name} of configurations.${section} ${what}.`,
        path: [...path, 'properties', name],
      }));
    });
    if (former.componentId !== undefined && !now.configurations[section]) {
      const message = `The component ${former.componentId} of configurations.${section} was removed.`;
      changed.push({ message, path: ['configurations'] });
    }
    // A property with a valid default counts as set, so it does not make an installation pending.
    const unset = checkConfiguration(present, {}).map(({ property }) => property);
    const needed = present.required
      .filter((name) => !former.required.includes(name) && unset.includes(name))
      .map((name) => ({
        message: `The property ${name} of configurations.${section} is now required.`,
        path: [...path, 'required'],
      }));
    return [...gone, ...other, ...narrowed, ...changed, ...needed];
  });
}

/** If the new manifest rejects previously allowed values, explains what changed. */
function lostChoices(
  former: ConfigurationProperty,
  present: ConfigurationProperty | undefined,
): string | undefined {
  if (former.type !== 'string' || present?.type !== 'string' || !present.enum) return undefined;
  if (!former.enum) return 'allowed any string';
  const lost = former.enum.filter((value) => !present.enum?.includes(value));
  if (lost.length === 0) return undefined;
  return `no longer allows ${lost.map((value) => JSON.stringify(value)).join(', ')}`;
}

/** Describes what existing installations lose: the default value, or the endpoint that a button calls. */
function lostFields(former: ConfigurationProperty, present: ConfigurationProperty | undefined): string[] {
  if (former.type === 'button')
    return present?.type === 'button' && present.callback_url !== former.callback_url
      ? [`called the endpoint ${former.callback_url}`]
      : [];
  if (former.default === undefined || present?.type !== former.type || present.default !== undefined)
    return [];
  return [`had the default ${JSON.stringify(former.default)}`];
}
