import { parseJson } from '../../base/parse-json.js';
import { textAt } from '../../base/value-at-path.js';
import { parseOptions, readResponse, type Emulator } from '../../emulator/index.js';
import type { Integration } from '../../protocol/integration.js';
import type { ProbeHost } from './probe-host.js';
import { watch } from './script-cause.js';
import type { PathAnswer } from './script-facts.js';
import { targetOfSection, sectionsOf, type Section } from './sections.js';

const limits = { bytes: 4 * 1024 * 1024, ms: 10_000 };

export async function probePaths(
  integration: Integration,
  installation: string,
  host: ProbeHost,
  emulator: Emulator,
): Promise<PathAnswer[]> {
  const answers: PathAnswer[] = [];
  for (const path of pathsOf(integration)) answers.push(await askPath(path, installation, host, emulator));
  return answers;
}

interface NamedPath {
  section: Section;
  kind: PathAnswer['kind'];
  path: string;
}

const pathsOf = ({ configurations, ...rest }: Integration): NamedPath[] =>
  sectionsOf({ configurations, ...rest }).flatMap((section) =>
    Object.values(configurations[section]?.properties ?? {}).flatMap((property): NamedPath[] => {
      if (property.type === 'button') return [{ section, kind: 'callback', path: property.callback_url }];
      if (property.type !== 'string' || property.completion_url === undefined) return [];
      return [{ section, kind: 'completion', path: property.completion_url }];
    }),
  );

/**
 * Sends the request that the platform would send. For a callback, this is the request that a newly opened window sends. For
 * a completion, the request contains the typed text.
 */
async function askPath(
  { section, kind, path }: NamedPath,
  installation: string,
  host: ProbeHost,
  emulator: Emulator,
): Promise<PathAnswer> {
  const environment =
    emulator.environment({ installation, ...targetOfSection[section] }) ??
    emulator.environment({ installation });
  const part = environment?.siteInstallation ?? environment?.spaceInstallation ?? environment?.installation;
  const { publicEndpoint = '' } = part?.urls ?? {};
  const address = `${publicEndpoint}/${path.replace(/^\/+/, '')}${kind === 'completion' ? '?q=a' : ''}`;
  const { result, blocked, cause } = await watch(host, async () => {
    const response = await emulator.fetch(new Request(address, { redirect: 'manual' }));
    const { bytes, stopped } = await readResponse(response, { ...limits, timers: host.timers });
    const text = stopped === undefined ? new TextDecoder().decode(bytes) : '';
    return { status: response.status, text };
  });
  const { status, text } = result;
  return {
    section,
    kind,
    path,
    status,
    blocked,
    ...(cause && { cause }),
    ...errorIn(text),
    ...(kind === 'completion' && { options: parseOptions(text) !== undefined }),
  };
}

function errorIn(text: string): { error?: string } {
  const error = textAt(parseJson(text, undefined), 'error');
  return error === undefined ? {} : { error };
}
