import type { Check, PublishFinding } from '../check.js';
import type { PathAnswer } from '../probe/script-facts.js';
import { notRun } from './not-run.js';

export const endpoints: Check = {
  code: 'publish/endpoints',
  title: 'Addresses',
  severity: 'error',
  summary: 'Every callback_url and completion_url is answered.',
  look({ manifest, facts }) {
    if (!facts?.isIntegration) return notRun;
    if (facts.answers.length === 0) return { evidence: 'The manifest names none.' };
    const answers = facts.answers.map((answer) => ({ ...answer, problem: problemWith(answer) }));
    const offline = answers.filter(({ problem, blocked }) => problem !== undefined && blocked.length > 0);
    return {
      evidence: `${answers.map(({ path, status }) => `${path} answers ${status}`).join(', ')}.`,
      findings: answers.flatMap(({ path, problem, blocked }): PublishFinding[] =>
        problem === undefined || blocked.length > 0
          ? []
          : [
              {
                message: problem,
                help: helpFor(path),
                path: whereIs(path, manifest.integration.configurations),
              },
            ],
      ),
      ...(offline.length > 0 && {
        person: `${offline.map(({ path }) => path).join(', ')} ask ${[...new Set(offline.flatMap(({ blocked }) => blocked))].join(', ')}, and nothing here reaches the network. Try them with "platform dev".`,
      }),
    };
  },
};

function problemWith({ kind, path, status, options }: PathAnswer): string | undefined {
  if (status === 404) return `Nothing answers ${path}.`;
  if (status >= 400) return `${path} answers ${status}.`;
  if (kind === 'completion' && !(status === 200 && options))
    return `${path} does not answer a list of options.`;
  return undefined;
}

const helpFor = (path: string): string =>
  `Answer it in fetch: if (routePath(request, context.environment) === '${path}') …`;

/** The key that names the path. */
function whereIs(
  path: string,
  configurations: Record<string, { properties: Record<string, object> }>,
): (string | number)[] {
  for (const [section, { properties }] of Object.entries(configurations)) {
    for (const [name, property] of Object.entries(properties)) {
      for (const key of ['callback_url', 'completion_url']) {
        if ((property as Record<string, unknown>)[key] === path) {
          return ['configurations', section, 'properties', name, key];
        }
      }
    }
  }
  return ['configurations'];
}
