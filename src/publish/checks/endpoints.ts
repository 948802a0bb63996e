import { skipped, skippedWithoutRun, type Check, type CheckOutcome, type PublishFinding } from './check.js';
import type { PathAnswer } from '../probe/script-facts.js';
import { positionOf } from './position-of-cause.js';

export const endpoints: Check = {
  code: 'publish/endpoints',
  title: 'Endpoints',
  severity: 'error',
  summary: 'The script does not respond correctly at a callback_url or completion_url.',
  run(submission): CheckOutcome {
    const { manifest, facts } = submission;
    if (!facts?.isIntegration) return skippedWithoutRun(submission);
    if (facts.answers.length === 0) return skipped('The manifest has no callback_url and no completion_url.');
    const answers = facts.answers.map((answer) => ({ ...answer, problem: problemWith(answer) }));
    const offline = answers.filter(({ problem, blocked }) => problem !== undefined && blocked.length > 0);
    const unsure = answers.filter(({ status, blocked }) => wantsMore.has(status) && blocked.length === 0);
    const review = [
      ...offline.map(
        ({ path, blocked }) =>
          `${path} calls ${[...new Set(blocked)].join(', ')}, and publish-check blocks outbound requests.`,
      ),
      ...unsure.map(({ path, status }) => `${path} responds with ${status} to sample configuration.`),
    ];
    return {
      evidence: `${answers.map(({ path, status }) => `${path} responds with ${status}`).join(', ')}.`,
      findings: answers.flatMap(({ path, status, problem, blocked, cause, error }): PublishFinding[] =>
        problem === undefined || blocked.length > 0 || wantsMore.has(status)
          ? []
          : [
              {
                message: [problem, cause?.message ?? (status >= 500 && status !== 504 && error)]
                  .filter(Boolean)
                  .join(' '),
                help:
                  status >= 500
                    ? `Run "platform dev" and open ${path} to see the full error.`
                    : helpFor(path),
                ...positionOf(cause, submission, whereIs(path, manifest.integration.configurations)),
              },
            ],
      ),
      ...(review.length > 0 && { review: `${review.join(' ')} Try the endpoint in "platform dev".` }),
    };
  },
};

/** Statuses that mean the endpoint exists but needs a user or a real configuration. */
const wantsMore = new Set([400, 401, 403, 409, 422]);

function problemWith({ kind, path, status, options }: PathAnswer): string | undefined {
  if (status === 404) return `The script has no endpoint ${path} (404).`;
  if (status === 504) return `${path} does not respond in time (504).`;
  if (status >= 400) return `${path} responds with ${status}.`;
  if (kind === 'completion' && !(status === 200 && options))
    return `${path} does not return a list of options.`;
  return undefined;
}

const helpFor = (path: string): string =>
  `Handle it in fetch: if (routePath(request, context.environment) === '${path}') …`;

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
