import { skipped, skippedWithoutRun, type Check, type CheckOutcome } from './check.js';
import { isRefusedApi, positionOf } from './position-of-cause.js';

export const rendering: Check = {
  code: 'publish/render',
  title: 'Rendering',
  severity: 'error',
  summary: 'A component cannot be rendered with its default props and configuration.',
  run(submission): CheckOutcome {
    const { manifest, facts } = submission;
    if (!facts?.isIntegration) return skippedWithoutRun(submission);
    const has = facts.definition?.components;
    const known = facts.renders.filter(({ component }) => has?.includes(component) ?? true);
    if (known.length === 0) return skipped('No components to render.');
    const drawn = known.filter(({ cause }) => !isRefusedApi(cause, submission));
    const failed = drawn.filter(({ problem }) => problem !== undefined);
    if (drawn.length < known.length && failed.length === 0)
      return skipped('Rendering needs an API that production blocks.');
    const offline = failed.filter(({ blocked }) => blocked.length > 0);
    const linked = failed.filter(({ blocked, url }) => blocked.length === 0 && url !== undefined);
    const { blocks } = manifest.integration;
    const findings = failed
      .filter((one) => !offline.includes(one) && !linked.includes(one))
      .map(({ component, problem, cause }) => {
        const index = blocks.findIndex(({ id }) => id === component);
        return {
          message: `The component ${component} cannot be rendered with its defaults: ${problem}`,
          help: `Run "platform dev" and "platform render ${component}" to see why.`,
          ...positionOf(cause, submission, index < 0 ? ['script'] : ['blocks', index, 'id']),
        };
      });
    const good = drawn
      .filter(({ problem }) => problem === undefined)
      .map(({ component, url }) => (url === undefined ? component : `${component} (from the link ${url})`));
    const review = [
      offline.length > 0 &&
        `Not rendered: ${offline.map(({ component }) => component).join(', ')}. Rendering calls ${[...new Set(offline.flatMap(({ blocked }) => blocked))].join(', ')}, and publish-check blocks outbound requests. Check the components in "platform dev".`,
      ...linked.map(
        ({ component, url, problem }) =>
          `${component} cannot be rendered with its defaults or from the link ${url}: ${problem} In the "platform dev" console, paste a link that it supports.`,
      ),
    ].filter((text) => text !== false);
    return {
      evidence: good.length > 0 ? `Rendered: ${good.join(', ')}.` : 'No components were rendered.',
      findings,
      ...(review.length > 0 && { review: review.join(' ') }),
    };
  },
};
