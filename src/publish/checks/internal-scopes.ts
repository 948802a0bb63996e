import { skipped, type Check } from '../check.js';

export const internalScopeNames: readonly string[] = ['site:script:inject', 'site:script:cookies'];

export const internalScopes: Check = {
  code: 'publish/internal-scope',
  title: 'Scopes',
  severity: 'error',
  summary: 'No scope is internal to the platform.',
  run({ manifest }) {
    const { scopes } = manifest.integration;
    if (scopes.length === 0) return skipped('The manifest has no scopes.');
    return {
      evidence: `Scopes: ${scopes.join(', ')}.`,
      findings: scopes.flatMap((scope, index) =>
        internalScopeNames.includes(scope)
          ? [
              {
                message: `The scope ${scope} is internal to the platform, so the integration is not accepted.`,
                help: 'Remove it, and the code that needs it.',
                path: ['scopes', index],
              },
            ]
          : [],
      ),
    };
  },
};
