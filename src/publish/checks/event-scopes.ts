import { scopeOfEvent } from '../../protocol/scopes.js';
import type { Check, PublishFinding } from '../check.js';
import { notRun } from './not-run.js';

export const eventScopes: Check = {
  code: 'publish/event-scope',
  title: 'Events',
  severity: 'warning',
  summary: 'The scopes that the handled events seem to need are asked for.',
  look({ manifest, facts }) {
    if (!facts?.isIntegration) return notRun;
    if (!facts.definition) return { evidence: 'Which events it handles is not known.' };
    const { events, members } = facts.definition;
    const handled = [...events, ...members.filter((member) => member.startsWith('fetch_'))];
    const asked: readonly string[] = manifest.integration.scopes;
    const findings = handled.flatMap((event): PublishFinding[] => {
      const scope = scopeOfEvent(event);
      if (scope === undefined || asked.includes(scope)) return [];
      return [
        {
          message: `The script handles ${event}, which seems to need the scope ${scope}.`,
          help: 'Ask for it, or leave the handler out. This goes by the names alone.',
          path: ['scopes'],
        },
      ];
    });
    return {
      evidence: handled.length > 0 ? `It handles ${handled.join(', ')}.` : 'It handles none.',
      findings,
    };
  },
};
