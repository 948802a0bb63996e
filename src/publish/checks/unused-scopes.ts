import { scopeOfEvent } from '../../protocol/scopes.js';
import type { Check, PublishFinding } from '../check.js';
import { notRun } from './not-run.js';

/** Names of the client's methods that a scope is for, as they stand in the code. */
const calls: Record<string, RegExp> = {
  'space:content:read':
    /\bgetCurrentRevision|\bgetRevision|\bgetPage|\/content\b|\/revisions\b|\bgetDocument/,
  'space:content:write': /\bcreateChangeRequest|\bimport|\/content\b|\/change-requests\b/,
  'space:metadata:read': /\bgetSpaceById|\blistSpaces|\/spaces\//,
  'space:metadata:write': /\bupdateSpace|\/spaces\//,
  'space:git:sync': /\bgit|\/git\//i,
  'site:metadata:read': /\bgetSiteById|\blistSites|\/sites\//,
  'site:visitor:auth': /\bfetch_visitor_authentication|\bjwt/i,
  'site:visitor:claims': /\bclaims/i,
  'site:adaptive:read': /\badaptive/i,
  'site:adaptive:write': /\badaptive/i,
  'openapi:read': /openapi/i,
  'openapi:write': /openapi/i,
  'conversations:ingest': /conversation/i,
};

export const unusedScopes: Check = {
  code: 'publish/unused-scope',
  title: 'Unused scopes',
  severity: 'warning',
  summary: 'No more is asked for than the script seems to use.',
  look({ manifest, facts, sources }) {
    if (!facts?.isIntegration) return notRun;
    if (!facts.definition || !sources) return { evidence: 'What the script handles is not known.' };
    const { events, members } = facts.definition;
    const code = sources.map(({ text }) => text).join('\n');
    const served = new Set([...events, ...members].map(scopeOfEvent));
    const findings = manifest.integration.scopes.flatMap((scope, index): PublishFinding[] => {
      const called = calls[scope]?.test(code) ?? false;
      if (served.has(scope) || called) return [];
      return [
        {
          message: `Nothing in the script seems to use the scope ${scope}.`,
          help: 'Leave it out if that is so: people are asked to agree to it. This goes by names alone.',
          path: ['scopes', index],
        },
      ];
    });
    return {
      evidence: findings.length === 0 ? 'Each scope seems to be used.' : 'Some seem to be unused.',
      findings,
    };
  },
};
