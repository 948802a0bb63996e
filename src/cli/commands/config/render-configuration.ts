import type { ConfigurationSection } from '../../../protocol/integration.js';
import type { Style } from '../../../terminal/style.js';
import type { PlaceOptions } from '../../session/target-options.js';
import { own } from '../../../base/own-property.js';

export interface ConfigurationAnswer {
  place: PlaceOptions;
  status: string;
  configuration: Record<string, unknown>;
  section?: ConfigurationSection;
}

/** Each property that the manifest declares or that has a value, one a line. */
export function renderConfiguration(
  { place, status, configuration, section }: ConfigurationAnswer,
  style: Style,
): string {
  const { properties = {}, required = [] } = section ?? {};
  const names = [...new Set([...Object.keys(properties), ...Object.keys(configuration)])];
  const width = Math.max(0, ...names.map((name) => name.length));
  const where = Object.values(place).join(' / ');
  const head = `${style.bold(where)}  ${status === 'active' ? style.green(status) : style.yellow(status)}`;
  if (names.length === 0) return `${head}\n  The manifest declares no properties here.`;
  return [
    head,
    ...names.map((name) => {
      const value = own(configuration, name);
      const missing = required.includes(name) ? style.yellow('not set, required') : style.dim('not set');
      return `  ${name.padEnd(width)}  ${value === undefined ? missing : JSON.stringify(value)}`;
    }),
  ].join('\n');
}
