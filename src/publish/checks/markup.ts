import { describeMarkupProblem } from '../../protocol/markup/check-markup.js';
import { skipped, skippedWithoutRun, type Check, type CheckOutcome, type PublishFinding } from './check.js';
import { positionOfMarkup } from './position-of-markup.js';

export const markup: Check = {
  code: 'publish/unknown-markup',
  title: 'Markup',
  severity: 'warning',
  summary: 'A component renders an element or property that the platform does not know.',
  run(submission): CheckOutcome {
    const { manifest, facts } = submission;
    if (!facts?.isIntegration) return skippedWithoutRun(submission);
    const rendered = facts.renders.filter(({ problem }) => problem === undefined);
    if (rendered.length === 0) return skipped('No components were rendered.');
    // If the same problem occurs in two components or at the same position, it is reported only once.
    const findings = new Map<string, PublishFinding>();
    for (const { component, unknown } of rendered) {
      const index = manifest.integration.blocks.findIndex(({ id }) => id === component);
      for (const problem of unknown) {
        if (findings.has(problem.message)) continue;
        findings.set(problem.message, {
          message: describeMarkupProblem(component, problem.message),
          help: problem.help,
          ...(positionOfMarkup(problem, submission) ?? {
            path: index < 0 ? ['script'] : ['blocks', index, 'id'],
          }),
        });
      }
    }
    const names = rendered.map(({ component }) => component).join(', ');
    return { evidence: `Checked the first render of ${names}.`, findings: [...findings.values()] };
  },
};
