import { count } from '../../diagnostics/index.js';
import { skipped, skippedWithoutBuild, whyNotRun, type Check, type PublishFinding } from './check.js';
import { installCommand } from '../../sandbox/workerd/find-workerd.js';
import type { Render } from '../probe/script-facts.js';
import type { Submission } from '../submission/submission.js';
import { isRefusedApi, positionOf } from './position-of-cause.js';

const help = 'Run "platform dev --runtime workerd" to see the full error.';

export const productionRuntime: Check = {
  code: 'publish/workerd',
  title: 'workerd',
  severity: 'error',
  summary: 'The script runs in Node but fails in workerd, the production runtime.',
  run(submission) {
    const { bundle, facts, manifest, nodeModules, production, unusable } = submission;
    if (!bundle) return skippedWithoutBuild(submission);
    if (!production)
      return skipped(
        whyNotRun(submission) ?? unusable ?? `workerd is not installed: ${installCommand(manifest.folder)}`,
      );
    const { started, renders } = production.facts;
    if (!started.ok) {
      if (nodeModules) return skipped('See "Start" for why the script does not start in workerd.');
      if (facts?.started.ok === false || isRefusedApi(started.cause, submission))
        return skipped('The script does not start in Node either.');
      const message = `The script does not start in workerd: ${started.cause.message}`;
      return {
        evidence: `workerd ${production.version} cannot load the script.`,
        findings: [{ message, help, ...positionOf(started.cause, submission, ['script']) }],
      };
    }
    const drawn = renders.filter(({ problem }) => problem === undefined).length;
    const rendered =
      renders.length > 0 ? ` It renders ${drawn} of ${count(renders.length, 'component')}.` : '';
    return {
      evidence: `The script starts in workerd ${production.version}${nodeModules ? ' with nodejs_compat' : ''}.${rendered}`,
      findings: failedOnlyThere(renders, submission),
    };
  },
};

/** Returns the renders that failed only in production. The rendering check reports those that also fail in Node. */
function failedOnlyThere(renders: readonly Render[], submission: Submission): PublishFinding[] {
  const { facts, manifest } = submission;
  const fine = new Set(
    facts?.renders.filter(({ problem }) => problem === undefined).map(({ component }) => component),
  );
  return renders
    .filter(({ component, problem }) => problem !== undefined && fine.has(component))
    .map(({ component, problem, cause }) => {
      const index = manifest.integration.blocks.findIndex(({ id }) => id === component);
      const path = index < 0 ? ['script'] : ['blocks', index, 'id'];
      return {
        message: `The component ${component} cannot be rendered in workerd: ${problem}`,
        help,
        ...positionOf(cause, submission, path),
      };
    });
}
