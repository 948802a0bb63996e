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
    const unsure = answers.filter(({ status, blocked }) => wantsMore.has(status) && blocked.length === 0);
    const person = [
      ...offline.map(
        ({ path, blocked }) =>
          `${path} asks ${[...new Set(blocked)].join(', ')}, and nothing here reaches the network.`,
      ),
      ...unsure.map(({ path, status }) => `${path} answers ${status} to made-up settings.`),
    ];
    return {
      evidence: `${answers.map(({ path, status }) => `${path} answers ${status}`).join(', ')}.`,
      findings: answers.flatMap(({ path, status, problem, blocked }): PublishFinding[] =>
        problem === undefined || blocked.length > 0 || wantsMore.has(status)
          ? []
          : [
              {
                message: problem,
                help: helpFor(path),
                path: whereIs(path, manifest.integration.configurations),
              },
            ],
      ),
      ...(person.length > 0 && { person: `${person.join(' ')} Try with "platform dev".` }),
    };
  },
};

/** Of the person, or of the settings: something answers. */
const wantsMore = new Set([400, 401, 403, 409, 422]);

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
