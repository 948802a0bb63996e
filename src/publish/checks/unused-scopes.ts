import { internalScopeNames } from './internal-scopes.js';
import { scopeOfEvent } from '../../protocol/scopes.js';
import {
  skipped,
  skippedWithoutRun,
  withoutDefinition,
  type Check,
  type CheckOutcome,
  type PublishFinding,
} from './check.js';

/** API client methods that require a scope, as written in code. */
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
  summary: 'The manifest requests a scope that the script does not seem to use.',
  run(submission): CheckOutcome {
    const { manifest, facts, sources } = submission;
    if (manifest.integration.scopes.length === 0) return skipped('The manifest has no scopes.');
    if (!facts?.isIntegration) return skippedWithoutRun(submission);
    if (!facts.definition || !sources)
      return skipped(withoutDefinition(manifest, 'the scopes it needs are unknown'));
    const { events, members } = facts.definition;
    const code = sources.map(({ text }) => text).join('\n');
    const served = new Set([...events, ...members].map(scopeOfEvent));
    const findings = manifest.integration.scopes.flatMap((scope, index): PublishFinding[] => {
      const called = calls[scope]?.test(code) ?? false;
      // Scopes that the platform does not accept are reported by another check.
      if (served.has(scope) || called || internalScopeNames.includes(scope)) return [];
      return [
        {
          message: `Nothing in the script seems to use the scope ${scope}.`,
          help: 'Remove the scope if it is unused: users must approve each one. This check only compares names.',
          path: ['scopes', index],
        },
      ];
    });
    return {
      evidence: findings.length === 0 ? 'Every scope seems to be used.' : 'Some scopes seem to be unused.',
      findings,
    };
  },
};
