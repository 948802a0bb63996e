import type { Check } from '../check.js';
import { notRun } from './not-run.js';

export const rendering: Check = {
  code: 'publish/render',
  title: 'Rendering',
  severity: 'error',
  summary: 'Every component draws itself with nothing but its defaults, or from a pasted link.',
  look({ manifest, facts }) {
    if (!facts?.isIntegration) return notRun;
    const has = facts.definition?.components;
    const drawn = facts.renders.filter(({ component }) => has?.includes(component) ?? true);
    if (drawn.length === 0) return { evidence: 'There is no component.' };
    const failed = drawn.filter(({ problem }) => problem !== undefined);
    const offline = failed.filter(({ blocked }) => blocked.length > 0);
    const linked = failed.filter(({ blocked, url }) => blocked.length === 0 && url !== undefined);
    const { blocks } = manifest.integration;
    const findings = failed
      .filter((one) => !offline.includes(one) && !linked.includes(one))
      .map(({ component, problem }) => {
        const index = blocks.findIndex(({ id }) => id === component);
        return {
          message: `The component ${component} can't be drawn with its defaults: ${problem}`,
          help: `Run "platform dev" and "platform render ${component}" to see why.`,
          path: index < 0 ? ['script'] : ['blocks', index, 'id'],
        };
      });
    const good = drawn
      .filter(({ problem }) => problem === undefined)
      .map(({ component, url }) => (url === undefined ? component : `${component} (from the link ${url})`));
    const person = [
      offline.length > 0 &&
        `These could not be drawn, as they ask ${[...new Set(offline.flatMap(({ blocked }) => blocked))].join(', ')}, and nothing here reaches the network: ${offline.map(({ component }) => component).join(', ')}. Look at them with "platform dev".`,
      ...linked.map(
        ({ component, url, problem }) =>
          `${component} could be drawn neither with its defaults nor from the link ${url}: ${problem} Paste a link that it knows into the console of "platform dev", and look at it there.`,
      ),
    ].filter((text) => text !== false);
    return {
      evidence: good.length > 0 ? `Drawn: ${good.join(', ')}.` : 'None could be drawn.',
      findings,
      ...(person.length > 0 && { person: person.join(' ') }),
    };
  },
};
