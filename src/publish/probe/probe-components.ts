import type { Emulator } from '../../emulator/index.js';
import { namedComponents } from '../../manifest/index.js';
import type { Integration } from '../../protocol/integration.js';
import type { ProbeHost } from './probe-host.js';
import { sampleLink } from './sample-configuration.js';
import { watch } from './script-cause.js';
import type { Render } from './script-facts.js';
import { firstSite, firstSpace, targetOfSection, sectionsOf } from './sections.js';

export async function probeComponents(
  integration: Integration,
  installation: string,
  host: ProbeHost,
  emulator: Emulator,
): Promise<Render[]> {
  const renders: Render[] = [];
  for (const component of componentsOf(integration)) {
    const request = requestFor(component, integration, installation, emulator);
    renders.push(await drawAnyway(request, linkOf(component, integration), host, emulator));
  }
  return renders;
}

/**
 * Returns the components in the manifest. Other components, such as modals, are rendered with props from the component that opens
 * them.
 */
const componentsOf = (integration: Integration): string[] => [
  ...new Set(namedComponents(integration).map(({ id }) => id)),
];

type RenderRequest = Parameters<Emulator['render']>[0] & { component: string };

/**
 * Returns a request for where the component appears: its section's configuration screen or, for a block, any target where
 * the integration is installed.
 */
function requestFor(
  component: string,
  integration: Integration,
  installation: string,
  { environment }: Emulator,
): RenderRequest {
  const screenOf = sectionsOf(integration).find(
    (section) => integration.configurations[section]?.componentId === component,
  );
  const targets = screenOf ? [targetOfSection[screenOf]] : [firstSpace, firstSite];
  const target = targets.find((one) => environment({ installation, ...one }) !== undefined);
  return { component, installation, ...target };
}

const linkOf = (component: string, { blocks }: Integration): string | undefined =>
  blocks.find(({ id }) => id === component)?.urlUnfurl.map(sampleLink)[0];

/** Renders a component with the props of a newly inserted block, or of one created from a link. */
async function drawAnyway(
  request: RenderRequest,
  url: string | undefined,
  host: ProbeHost,
  emulator: Emulator,
): Promise<Render> {
  const bare = await draw(request, host, emulator);
  if (url === undefined || bare.problem === undefined) return bare;
  return { ...(await draw({ ...request, action: { action: '@link.unfurl', url } }, host, emulator)), url };
}

async function draw(request: RenderRequest, host: ProbeHost, emulator: Emulator): Promise<Render> {
  const { component } = request;
  const { result: drawn, blocked, cause } = await watch(host, () => emulator.render(request));
  const unknown = (drawn.type === 'element' && drawn.warnings) || [];
  const problem =
    drawn.type === 'error'
      ? (cause?.message ?? drawn.message)
      : drawn.type === 'element'
        ? problemWith(drawn.element)
        : undefined;
  return { component, blocked, unknown, ...(problem !== undefined && { problem, ...(cause && { cause }) }) };
}

function problemWith(element: unknown): string | undefined {
  if (element === null) return 'The result is empty.';
  return typeof element === 'object' ? undefined : `It returns a ${typeof element}, not an element.`;
}
