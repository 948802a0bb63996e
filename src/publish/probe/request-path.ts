import { parseOptions, type Emulator } from '../../emulator/index.js';
import type { Integration } from '../../protocol/integration.js';
import type { ProbeHost } from './probe-host.js';
import type { PathAnswer } from './script-facts.js';

export interface NamedPath {
  kind: PathAnswer['kind'];
  path: string;
}

/** The paths that the manifest says the script answers. */
export const pathsOf = ({ configurations }: Integration): NamedPath[] =>
  Object.values(configurations)
    .flatMap(({ properties }) => Object.values(properties))
    .flatMap((property): NamedPath[] => {
      if (property.type === 'button') return [{ kind: 'callback', path: property.callback_url }];
      if (property.type !== 'string' || property.completion_url === undefined) return [];
      return [{ kind: 'completion', path: property.completion_url }];
    });

/** Asks as the platform would: a callback is opened in a window, a completion gets what was typed. */
export async function askPath(
  { kind, path }: NamedPath,
  installation: string,
  host: ProbeHost,
  emulator: Emulator,
): Promise<PathAnswer> {
  const { length } = await host.blocked();
  const { publicEndpoint = '' } = emulator.environment({ installation })?.installation?.urls ?? {};
  const address = `${publicEndpoint}/${path.replace(/^\/+/, '')}${kind === 'completion' ? '?q=a' : ''}`;
  const response = await emulator.fetch(new Request(address, { redirect: 'manual' }));
  const text = await response.text().catch(() => '');
  const blocked = (await host.blocked()).slice(length);
  return {
    kind,
    path,
    status: response.status,
    blocked,
    ...(kind === 'completion' && { options: parseOptions(text) !== undefined }),
  };
}
