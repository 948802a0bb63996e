import type { PlatformBase } from '../state/platform-base.js';
import { withTimeout } from '../../base/deadlines.js';
import type { ScriptHost } from '../../sandbox/script/script-host.js';
import { parseJson } from '../../base/parse-json.js';
import { nestsTooDeep } from '../../base/text/json-depth.js';
import type { RenderContext, UIAction } from '../../protocol/events.js';
import type { CallCause } from '../../protocol/log-and-outbound-types.js';
import type { Rendered, RenderRequest, RenderResult } from '../../contract/routes/components.js';
import type { Blocks } from './inserted-blocks.js';
import type { Environments, InstallTarget } from '../state/script-environments.js';
import type { EventFeed } from '../live/event-feed.js';
import type { Failures } from '../calls/call-failure.js';
import type { EventSender, FiredEvent } from '../calls/event-sender.js';
import { HttpError, invalid } from '../http/http-error.js';
import { resolveState } from '../../protocol/markup/resolve-state.js';
import type { Handlers } from '../../contract/console-api.js';
import type { componentRoutes as contract } from '../../contract/routes/components.js';
import { isObject } from '../http/read-json.js';
import type { PlacementKind } from '../state/installation-records.js';
import { requireInstallation, requireInstalled } from '../state/require-installation.js';
import {
  checkMarkup,
  describeMarkupProblem,
  type MarkupProblem,
} from '../../protocol/markup/check-markup.js';

export const componentRoutes = (render: Render, blocks: Blocks): Handlers<keyof typeof contract> => ({
  'POST /render': render,
  'GET /blocks': blocks.all,
  'POST /blocks': ({ props = {}, ...block }) => blocks.insert({ ...block, props }),
  'DELETE /blocks/{block}': ({ block }) => blocks.remove(block),
});

export type Render = (request: RenderRequest) => Promise<RenderResult>;

type Props = Record<string, unknown>;

/** How long a failed render waits for the log that explains it. */
const longestLogMs = 500;

/** Renders a component, and performs the platform's own actions, such as `@ui.modal.open`. */
export function createRender(
  deps: Pick<PlatformBase, 'registry' | 'feed' | 'timers'> & {
    host: Pick<ScriptHost, 'settled'>;
    events: EventSender;
    blocks: Blocks;
    environments: Environments;
    failures: Failures;
  },
): Render {
  const { events, blocks, feed, timers, host, failures } = deps;
  const { subject, contextType } = createRenderSubjects(deps);
  const warningsOf = createMarkupWarnings(feed);

  const renderOnce = async (request: RenderRequest, action?: UIAction): Promise<Rendered> => {
    const { component, props, target } = subject(request);
    const parts = {
      ...(target.space && { spaceId: target.space }),
      ...(target.site && { siteId: target.site }),
    };
    const fired = await events.fire(
      {
        type: 'ui_render',
        installationId: target.installation,
        componentId: component,
        props,
        ...(request.state && { state: request.state }),
        ...(action && { action }),
        context: {
          type: contextType(component),
          theme: 'light',
          editable: true,
          ...parts,
          ...request.context,
        },
        ...parts,
      },
      target,
      causeOf(request),
    );
    const result = readResult(fired);
    if (result.type !== 'element') return result;
    if (request.block) blocks.update(request.block, result.props);
    const warnings = warningsOf(component, result.element, result.call);
    return warnings.length > 0 ? { ...result, warnings } : result;
  };

  const render: Render = async (request) => {
    const state = request.state ?? {};
    const action = request.action && (resolveState(request.action, state) as UIAction);
    switch (action?.action) {
      case '@ui.url.open':
        return { type: 'open-url', url: String(action.url) };
      case '@ui.modal.open': {
        const { component: opener, target: at } = subject(request);
        const { installation, space, site } = { ...request, ...at };
        const context = { type: contextType(opener), ...request.context };
        const component = String(action.componentId);
        const props = (action.props ?? {}) as Props;
        const target = { installation, ...(space && { space }), ...(site && { site }) };
        const modal = await renderOnce({
          ...target,
          component,
          props,
          context,
          ...(request.after !== undefined && { after: request.after }),
        });
        return { type: 'open-modal', component, props, modal };
      }
      case '@ui.modal.close':
        return request.modal ? { type: 'close-modal', action } : renderOnce(request, action);
      case '@editor.node.updateProps': {
        const props = (action.props ?? {}) as Props;
        if (request.block) blocks.update(request.block, props);
        return renderOnce({ ...request, props });
      }
      default:
        return renderOnce(request, action);
    }
  };
  return async (request) => {
    const result = await render(request);
    if (result.type !== 'error' || result.call === undefined) return result;
    // The script's process reports what it logged separately from the response.
    if (failures.of(result.call)?.file === undefined && host.settled)
      await withTimeout(timers, longestLogMs, host.settled(), undefined);
    const failure = failures.of(result.call);
    return failure ? { ...result, failure } : result;
  };
}

function causeOf({ after, display }: RenderRequest): { cause?: CallCause } {
  if (after !== undefined) return { cause: { type: 'render', call: after } };
  return display ? { cause: { type: 'display' } } : {};
}

function readResult(fired: FiredEvent): Rendered {
  if (fired.outcome === 'withheld') {
    throw new HttpError(409, fired.reason, `The component was not rendered: ${fired.reason}.`);
  }
  const { call, status } = fired;
  const text = new TextDecoder().decode(fired.body);
  if (nestsTooDeep(text))
    return { type: 'error', status, message: 'The markup is nested too deeply to be displayed.', call };
  const answer = parseJson(text, undefined);
  if (status !== 200 || !isObject(answer)) {
    const message =
      isObject(answer) && typeof answer.error === 'string'
        ? answer.error
        : `The script responded with ${status}.`;
    return { type: 'error', status, message, call };
  }
  if (answer.type === 'complete') return { type: 'complete', returnValue: answer.returnValue, call };
  return {
    type: 'element',
    element: answer.element,
    props: (answer.props ?? {}) as Props,
    state: (answer.state ?? {}) as Props,
    call,
  };
}

/** Limits the warnings, because a script can keep generating new names. */
const MAX = 1000;

/** Checks a component's markup. Warns about each problem only once, but returns it every time. */
function createMarkupWarnings(
  feed: EventFeed,
): (component: string, markup: unknown, call: string) => MarkupProblem[] {
  const warned = new Set<string>();
  return (component, markup, call) => {
    const problems = checkMarkup(markup);
    for (const problem of problems) {
      const message = `${describeMarkupProblem(component, problem.message)} ${problem.help}`;
      if (warned.has(message) || warned.size >= MAX) continue;
      warned.add(message);
      feed.emit({ type: 'warning', code: 'unknown-markup', message, call });
    }
    return problems;
  };
}

type RequiredTarget = InstallTarget & { installation: string };

/** Finds out what a request renders: the component, its props and the installation that it belongs to. */
function createRenderSubjects(
  deps: Pick<PlatformBase, 'registry'> & { blocks: Blocks; environments: Environments },
) {
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
