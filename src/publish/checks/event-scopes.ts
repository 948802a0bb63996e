import { findDeadHandlers } from '../../protocol/dead-handlers.js';
import { scopeOfEvent } from '../../protocol/scopes.js';
import {
  skipped,
  skippedWithoutRun,
  withoutDefinition,
  type Check,
  type CheckOutcome,
  type PublishFinding,
} from './check.js';

export const eventScopes: Check = {
  code: 'publish/event-scope',
  title: 'Events',
  severity: 'warning',
  summary: 'A handler never runs, or its event needs a scope that the manifest does not request.',
  run(submission): CheckOutcome {
    const { manifest, facts, sources = [] } = submission;
    if (!facts?.isIntegration) return skippedWithoutRun(submission);
    if (!facts.definition) return skipped(withoutDefinition(manifest, 'its events are unknown'));
    const { events, members } = facts.definition;
    const handled = [...events, ...members.filter((member) => member.startsWith('fetch_'))];
    const lostTasks = !members.includes('task') && sources.some(({ text }) => /\bqueueTask\s*\(/.test(text));
    if (handled.length === 0 && !lostTasks) return skipped('The script handles no events.');
    return {
      evidence: `The script handles ${handled.join(', ') || 'no events'}.`,
      findings: [
        ...findDeadHandlers(events).map((dead): PublishFinding => ({ ...dead, path: ['script'] })),
        ...handled.flatMap((event) => withoutScope(event, manifest.integration.scopes)),
        ...(lostTasks ? [noTaskHandler] : []),
      ],
    };
  },
};

function withoutScope(event: string, scopes: readonly string[]): PublishFinding[] {
  const scope = scopeOfEvent(event);
  if (scope === undefined || scopes.includes(scope)) return [];
  return [
    {
      message: `The script handles ${event}, which seems to need the scope ${scope}.`,
      help: 'Add the scope, or remove the handler. This check only compares names.',
      path: ['scopes'],
    },
  ];
}

const noTaskHandler: PublishFinding = {
  message: 'The script seems to queue tasks but has no task handler.',
  help: 'Add a "task" handler to createIntegration(). This check only compares names.',
  path: ['script'],
};
