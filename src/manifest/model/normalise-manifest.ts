import type {
  ConfigurationProperty,
  ConfigurationSection,
  Integration,
  IntegrationBlock,
} from '../../protocol/integration.js';
import { type Scope, scopes } from '../../protocol/scopes.js';
import { isRecord, listAt, recordAt, textAt, textsAt } from '../../base/value-at-path.js';

/**
 * Converts the document to the form that the platform uses. Invalid parts are omitted, because findings already report them.
 */
export function normaliseManifest(
  value: unknown,
  secrets: Record<string, string>,
  unsetSecrets: string[],
): Integration {
  return {
    name: textAt(value, 'name') ?? '',
    title: textAt(value, 'title') ?? '',
    description: textAt(value, 'description') ?? '',
    ...optionalText(value, 'summary'),
    organization: textAt(value, 'organization') ?? '',
    visibility: oneOf(['private', 'unlisted', 'public'], value, 'visibility') ?? 'private',
    scopes: [...new Set(textList(value, 'scopes'))].filter(isScope),
    ...optionalPath(value, 'script'),
    ...optionalPath(value, 'icon'),
    previewImages: textsAt(value, 'previewImages').map(({ text }) => cleanPath(text)),
    categories: [...new Set(textList(value, 'categories'))],
    blocks: listAt(value, 'blocks').flatMap(normaliseBlock),
    externalLinks: listAt(value, 'externalLinks').flatMap(normaliseLink),
    configurations: {
      ...normaliseSection(value, 'account'),
      ...normaliseSection(value, 'site'),
      ...normaliseSection(value, 'space'),
    },
    secrets,
    ...(unsetSecrets.length > 0 && { unsetSecrets }),
    target: oneOf(['all', 'site', 'space'], value, 'target') ?? 'all',
    contentSources: listAt(value, 'contentSources').flatMap((source) => {
      const id = textAt(source, 'id');
      return isRecord(source) && id !== undefined ? [{ ...source, id }] : [];
    }),
  };
}

function optionalText<Key extends string>(value: unknown, key: Key): Partial<Record<Key, string>> {
  const text = textAt(value, key);
  return text === undefined ? {} : ({ [key]: text } as Record<Key, string>);
}

function optionalPath<Key extends string>(value: unknown, key: Key): Partial<Record<Key, string>> {
  const text = textAt(value, key);
  return text === undefined ? {} : ({ [key]: cleanPath(text) } as Record<Key, string>);
}

const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);

const cleanPath = (path: string): string => path.replaceAll('\\', '/').replace(/^(?:\.\/+)+/, '');

const textList = (value: unknown, key: string): string[] => textsAt(value, key).map(({ text }) => text);

const oneOf = <Word extends string>(words: readonly Word[], value: unknown, key: string): Word | undefined =>
  words.find((word) => word === textAt(value, key));

function normaliseBlock(value: unknown): IntegrationBlock[] {
  const id = textAt(value, 'id');
  if (id === undefined) return [];
  const codeblock = textAt(value, 'markdown', 'codeblock');
  const body = textAt(value, 'markdown', 'body');
  return [
    {
      id,
      title: textAt(value, 'title') ?? id,
      ...optionalText(value, 'description'),
      ...optionalText(value, 'icon'),
      urlUnfurl: textList(value, 'urlUnfurl'),
      ...(codeblock !== undefined && body !== undefined && { markdown: { codeblock, body } }),
    },
  ];
}

function normaliseLink(value: unknown): Integration['externalLinks'] {
  const label = textAt(value, 'label');
  const url = textAt(value, 'url');
  return label === undefined || url === undefined ? [] : [{ label, url }];
}

function normaliseSection<Name extends string>(
  value: unknown,
  name: Name,
): Partial<Record<Name, ConfigurationSection>> {
  const section = recordAt(value, 'configurations')[name];
  if (!isRecord(section)) return {};
  const properties: [string, ConfigurationProperty][] = Object.entries(
    recordAt(section, 'properties'),
  ).flatMap(([key, property]) => {
    const normalised = normaliseProperty(property);
    return normalised ? [[key, normalised]] : [];
  });
  return {
    [name]: {
      properties: Object.fromEntries(properties),
      required: textList(section, 'required'),
      ...optionalText(section, 'componentId'),
    },
  } as Record<Name, ConfigurationSection>;
}

function normaliseProperty(value: unknown): ConfigurationProperty | undefined {
  const words = { ...optionalText(value, 'title'), ...optionalText(value, 'description') };
  const chosen = recordAt(value)['default'];
  switch (textAt(value, 'type')) {
    case 'string':
      return {
        type: 'string',
        ...words,
        ...optionalText(value, 'default'),
        ...(listAt(value, 'enum').length > 0 && { enum: textList(value, 'enum') }),
        ...optionalText(value, 'completion_url'),
      };
    case 'number':
      return { type: 'number', ...words, ...(typeof chosen === 'number' && { default: chosen }) };
    case 'boolean':
      return { type: 'boolean', ...words, ...(typeof chosen === 'boolean' && { default: chosen }) };
    case 'button':
      return {
        type: 'button',
        ...words,
        button_text: textAt(value, 'button_text') ?? '',
        callback_url: textAt(value, 'callback_url') ?? '',
      };
    default:
      return undefined;
  }
}
