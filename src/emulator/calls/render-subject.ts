import type { RenderContext } from '../../protocol/events.js';
import type { RenderRequest } from '../../contract/routes/components.js';
import { invalid } from '../http/http-error.js';
import { isObject } from '../http/read-json.js';
import type { Blocks } from '../state/inserted-blocks.js';
import type { PlacementKind } from '../state/installation-records.js';
import type { Registry } from '../state/registry.js';
import { requireInstallation, requireInstalled } from '../state/require-installation.js';
import type { Environments, InstallTarget } from '../state/script-environments.js';

type Props = Record<string, unknown>;
type RequiredTarget = InstallTarget & { installation: string };

export function createRenderSubjects(deps: {
  registry: Registry;
  blocks: Blocks;
  environments: Environments;
}) {
  const { registry, blocks, environments } = deps;

  const subject = (request: RenderRequest): { component: string; props: Props; target: RequiredTarget } => {
    const block = request.block === undefined ? undefined : blocks.get(request.block);
    const component = block?.component ?? request.component;
    if (!component) throw invalid('Pass a component or a block.');
    const installation = requireInstallation(registry, block?.installation ?? request.installation).id;
    const { space, site } =
      block ?? (namesTarget(request, component) ? request : firstFit(installation, component));
    const target = { installation, ...(space && { space }), ...(site && { site }) };
    if (space) requireInstalled(registry, { installation, space });
    if (site) requireInstalled(registry, { installation, site });
    const given = request.props ?? block?.props ?? {};
    const props = contextType(component) === 'configuration' ? { ...settingsOf(target), ...given } : given;
    return { component, props, target };
  };

  /** If no target is given, uses the first site or space that can show the component. */
  const firstFit = (installation: string, component: string): InstallTarget => {
    const { account, site, space } = registry.integration().configurations;
    const targets = registry.placementsOf(installation);
    const first = (kind: PlacementKind): InstallTarget | undefined => {
      const found = targets.find((target) => target.kind === kind);
      return found && { [kind]: found.target };
    };
    if (account?.componentId === component) return {};
    if (site?.componentId === component) return first('site') ?? {};
    if (space?.componentId === component) return first('space') ?? {};
    return first('space') ?? first('site') ?? {};
  };

  /** Configuration screens belong to an installation, and blocks belong to content. */
  const contextType = (component: string): RenderContext['type'] => {
    const { configurations, contentSources } = registry.integration();
    const sections = [
      ...Object.values(configurations),
      ...contentSources.map(({ configuration }) => (isObject(configuration) ? configuration : {})),
    ];
    return sections.some(({ componentId }) => componentId === component) ? 'configuration' : 'document';
  };

  /** Returns the props of a configuration screen, which contain the installation to configure. */
  const settingsOf = (target: RequiredTarget): Props => {
    const { installation, siteInstallation, spaceInstallation } = environments.of(target) ?? {};
    return {
      installation,
      ...(siteInstallation && { siteInstallation }),
      ...(spaceInstallation && { spaceInstallation }),
    };
  };

  /** A screen of a site or space cannot be shown for the installation alone. */
  const namesTarget = ({ installation, site, space }: InstallTarget, component: string): boolean =>
    (installation !== undefined && contextType(component) === 'document') ||
    site !== undefined ||
    space !== undefined;

  return { subject, contextType };
}
