import type { Check } from '../check.js';

const internal: readonly string[] = ['site:script:inject', 'site:script:cookies'];

export const internalScopes: Check = {
  code: 'publish/internal-scope',
  title: 'Scopes',
  severity: 'error',
  summary: 'No scope is asked for that only the platform itself can use.',
  look({ manifest }) {
    const { scopes } = manifest.integration;
    return {
      evidence: scopes.length > 0 ? `It asks for ${scopes.join(', ')}.` : 'It asks for none.',
      findings: scopes.flatMap((scope, index) =>
        internal.includes(scope)
          ? [
              {
                message: `The scope ${scope} is internal: such an integration is not accepted.`,
                help: 'Remove it, and the code that needs it.',
                path: ['scopes', index],
              },
            ]
          : [],
      ),
    };
  },
};
