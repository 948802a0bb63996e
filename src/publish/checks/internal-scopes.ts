import { skipped, type Check } from './check.js';

export const internalScopeNames: readonly string[] = ['site:script:inject', 'site:script:cookies'];

export const internalScopes: Check = {
  code: 'publish/internal-scope',
  title: 'Scopes',
  severity: 'error',
  summary: 'The manifest requests a scope that only the platform can use.',
  run({ manifest }) {
    const { scopes } = manifest.integration;
    if (scopes.length === 0) return skipped('The manifest has no scopes.');
    return {
      evidence: `Scopes: ${scopes.join(', ')}.`,
      findings: scopes.flatMap((scope, index) =>
        internalScopeNames.includes(scope)
          ? [
              {
                message: `The scope ${scope} is reserved for the platform, so the integration would be rejected.`,
                help: 'Remove the scope and the code that needs it.',
                path: ['scopes', index],
              },
            ]
          : [],
      ),
    };
  },
};
