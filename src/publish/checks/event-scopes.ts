import { scopeOfEvent } from '../../protocol/scopes.js';
import { skipped, skippedWithoutRun, type Check, type CheckOutcome, type PublishFinding } from '../check.js';

export const eventScopes: Check = {
  code: 'publish/event-scope',
  title: 'Events',
  severity: 'warning',
  summary: 'The manifest has the scopes that the handled events seem to need.',
  run(submission): CheckOutcome {
    const { manifest, facts } = submission;
    if (!facts?.isIntegration) return skippedWithoutRun(submission);
    if (!facts.definition)
      return skipped('The script does not use createIntegration(), so its events are not known.');
    const { events, members } = facts.definition;
    const handled = [...events, ...members.filter((member) => member.startsWith('fetch_'))];
    const asked: readonly string[] = manifest.integration.scopes;
    if (handled.length === 0) return skipped('The script handles no events.');
    const findings = handled.flatMap((event): PublishFinding[] => {
      const scope = scopeOfEvent(event);
      if (scope === undefined || asked.includes(scope)) return [];
      return [
        {
          message: `The script handles ${event}, which seems to need the scope ${scope}.`,
          help: 'Add the scope, or remove the handler. This check only compares names.',
          path: ['scopes'],
        },
      ];
    });
    return {
      evidence: `The script handles ${handled.join(', ')}.`,
      findings,
    };
  },
};
