/** The possible results when a user visits the built-in OAuth provider. */
export const oauthOutcomes = ['approve', 'deny', 'expired-code', 'no-refresh-token'] as const;
export type OAuthOutcome = (typeof oauthOutcomes)[number];

/** Who chooses the result: an option that applies to every visit, or the user on the provider's page. */
export const consentModes = [...oauthOutcomes, 'ask'] as const;
export type ConsentMode = (typeof consentModes)[number];
