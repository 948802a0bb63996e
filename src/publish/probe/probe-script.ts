import { errorMessage } from '../../base/text/error-message.js';
import { createHeadlessEmulator, parseOptions, type HeadlessEmulator } from '../../emulator/index.js';
import { createVirtualClock } from '../../base/clock.js';
import { namedComponents } from '../../manifest/index.js';
import type { Integration } from '../../protocol/integration.js';
import { defaultWorkspace } from '../../protocol/workspace.js';
import { createMemoryStore } from '../../store/store.js';
import type { ProbeHost, Script } from './probe-host.js';
import { describePath } from './probe-source.js';
import { sampleLink, sampleConfiguration } from './sample-configuration.js';
import { readThrownError } from '../../base/text/thrown-error.js';
import { watch } from './script-cause.js';
import type { Definition, Render, ScriptFacts, PathAnswer } from './script-facts.js';

/** Installs the integration into a platform of its own, and looks at what its script does. */
export async function probeScript(
  script: Script,
  integration: Integration,
  host: ProbeHost,
): Promise<ScriptFacts> {
  const clock = createVirtualClock();
  const emulator = createHeadlessEmulator({
    integration,
    host,
    store: createMemoryStore(clock),
    clock,
    origin: host.origin,
    consoleOrigin: host.origin,
    token: crypto.randomUUID(),
    platformVersion: 'publish-check',
    noInstall: true,
  });
  host.attach(emulator);
  try {
    return await look(script, integration, host, emulator);
  } finally {
    await emulator.close();
  }
}

async function look(
  script: Script,
  integration: Integration,
  host: ProbeHost,
  emulator: HeadlessEmulator,
): Promise<ScriptFacts> {
  const nothing = { definition: undefined, renders: [], answers: [], status: undefined };
  const cause = await host.load(script).then(
    () => undefined,
    (error: unknown) => readThrownError(errorMessage(error)),
  );
  if (cause) return { started: { ok: false, cause }, isIntegration: false, ...nothing };
  const { isIntegration, definition, took } = await describe(host);
  const started = { ok: true, inTime: took <= startsWithin } as const;
  if (!isIntegration) return { started, isIntegration, ...nothing };

  const installation = await emulator.install();
  const set = sampleConfiguration(integration.configurations.account);
  await emulator.configure({ installation }, { set });
  const status = emulator.environment({ installation })?.installation?.status;

  const renders: Render[] = [];
  for (const component of componentsOf(integration)) {
    const request = requestFor(component, integration, installation, emulator);
    renders.push(await drawAnyway(request, linkOf(component, integration), host, emulator));
  }
  const answers = [];
  for (const path of pathsOf(integration)) answers.push(await askPath(path, installation, host, emulator));
  return { started, isIntegration, definition, renders, answers, status };
}

/** How many milliseconds a script may take to be imported. */
const startsWithin = 1_000;

interface Described {
  isIntegration: boolean;
  definition?: Definition;
  took: number;
}

async function describe(host: ProbeHost): Promise<Described> {
  const request = new Request(`${host.origin}${describePath}`, { method: 'OPTIONS' });
  const about = (await (await host.raw('describe', request)).json()) as Described;
  if (!about.isIntegration) return about;
  // Whatever takes envelopes takes nothing but POST.
  const refusal = await host.raw('get', new Request(`${host.origin}/v1`));
  return { ...about, isIntegration: refusal.status === 405 };
}

/** Those that the manifest names: others, such as modals, are drawn with props of their opener's. */
const componentsOf = (integration: Integration): string[] => [
  ...new Set(namedComponents(integration).map(({ id }) => id)),
];

type RenderRequest = Parameters<HeadlessEmulator['render']>[0] & { component: string };

/** Where it is seen: a screen of settings where those are, a block wherever the integration is in. */
function requestFor(
  component: string,
  { configurations }: Integration,
  installation: string,
  { environment }: HeadlessEmulator,
): RenderRequest {
  const { account, site, space } = configurations;
  const isScreenOf = (section: typeof account): boolean => section?.componentId === component;
  const places = isScreenOf(site)
    ? [firstSite]
    : isScreenOf(space)
      ? [firstSpace]
      : isScreenOf(account)
        ? []
        : [firstSpace, firstSite];
  const place = places.find((one) => environment({ installation, ...one }) !== undefined);
  return { component, installation, ...place };
}

/** Of a block that is made by pasting one. */
const linkOf = (component: string, { blocks }: Integration): string | undefined =>
  blocks.find(({ id }) => id === component)?.urlUnfurl.map(sampleLink)[0];

const { sites, spaces } = defaultWorkspace;
const firstSite = sites[0] ? { site: sites[0].id } : {};
const firstSpace = spaces[0] ? { space: spaces[0].id } : {};

/** As it is when it is inserted, or when it is made from a link. */
async function drawAnyway(
  request: RenderRequest,
  url: string | undefined,
  host: ProbeHost,
  emulator: HeadlessEmulator,
): Promise<Render> {
  const bare = await draw(request, host, emulator);
  if (url === undefined || bare.problem === undefined) return bare;
  return { ...(await draw({ ...request, action: { action: '@link.unfurl', url } }, host, emulator)), url };
}

async function draw(request: RenderRequest, host: ProbeHost, emulator: HeadlessEmulator): Promise<Render> {
  const { component } = request;
  const { result: drawn, blocked, cause } = await watch(host, () => emulator.render(request));
  const unknown = (drawn.type === 'element' && drawn.warnings) || [];
  const empty = drawn.type === 'element' && drawn.element === null;
  const problem =
    drawn.type === 'error' ? (cause?.message ?? drawn.message) : empty ? 'It draws nothing.' : undefined;
  return { component, blocked, unknown, ...(problem !== undefined && { problem, ...(cause && { cause }) }) };
}

interface NamedPath {
  kind: PathAnswer['kind'];
  path: string;
}

/** The paths that the manifest says the script answers. */
const pathsOf = ({ configurations }: Integration): NamedPath[] =>
  Object.values(configurations)
    .flatMap(({ properties }) => Object.values(properties))
    .flatMap((property): NamedPath[] => {
      if (property.type === 'button') return [{ kind: 'callback', path: property.callback_url }];
      if (property.type !== 'string' || property.completion_url === undefined) return [];
      return [{ kind: 'completion', path: property.completion_url }];
    });

/** Asks as the platform would: a callback is opened in a window, a completion gets what was typed. */
async function askPath(
  { kind, path }: NamedPath,
  installation: string,
  host: ProbeHost,
  emulator: HeadlessEmulator,
): Promise<PathAnswer> {
  const { publicEndpoint = '' } = emulator.environment({ installation })?.installation?.urls ?? {};
  const address = `${publicEndpoint}/${path.replace(/^\/+/, '')}${kind === 'completion' ? '?q=a' : ''}`;
  const { result, blocked, cause } = await watch(host, async () => {
    const response = await emulator.fetch(new Request(address, { redirect: 'manual' }));
    return { status: response.status, text: await response.text().catch(() => '') };
  });
  const { status, text } = result;
  return {
    kind,
    path,
    status,
    blocked,
    ...(cause && { cause }),
    ...(kind === 'completion' && { options: parseOptions(text) !== undefined }),
  };
}
