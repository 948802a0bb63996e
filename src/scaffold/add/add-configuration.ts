import { UserError } from '../../base/user-error.js';
import { manifestFileName } from '../../manifest/index.js';
import { insertValue, type YamlValue } from '../../manifest/fix/insert-value.js';
import { toTitle } from '../init/check-answers.js';
import { toFileName, type Addition } from './addition.js';
import { alreadyThere, type ExistingProject } from './existing-project.js';

export interface ConfigurationInput {
  name: string;
  title?: string;
  description?: string;
  type?: 'string' | 'number' | 'boolean';
  section?: 'account' | 'site';
  required?: boolean;
}

/** Adds a property to the configuration. */
export function addConfiguration(project: ExistingProject, input: ConfigurationInput): Addition {
  const { name, type = 'string', section = 'account', required, title, description } = input;
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw new UserError(
      'bad-name',
      `A property cannot be called "${name}".`,
      'Use letters, digits and underscores, such as channel_name.',
    );
  }
  const { integration, text } = project.manifest;
  if (Object.hasOwn(integration.configurations[section]?.properties ?? {}, name)) {
    const path = ['configurations', section, 'properties', name];
    throw alreadyThere(project, { code: 'setting-exists', path, what: `a property ${name}` });
  }
  const property: YamlValue = {
    type,
    title: title ?? toTitle(toFileName(name)),
    ...(description !== undefined && { description }),
  };
  const added = insertValue(text, ['configurations', section, 'properties', name], property);
  const whole = required ? insertValue(added, ['configurations', section, 'required', '-'], name) : added;
  return { files: new Map([[manifestFileName, whole]]), byHand: [] };
}
