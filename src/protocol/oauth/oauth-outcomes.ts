/** The possible outcomes of a visit to the built-in OAuth provider. */
export const oauthOutcomes = ['approve', 'deny', 'expired-code', 'no-refresh-token'] as const;
export type OAuthOutcome = (typeof oauthOutcomes)[number];

/** How the outcome is chosen: by an option for every visit, or by the user on the provider's page. */
export const consentModes = [...oauthOutcomes, 'ask'] as const;
export type ConsentMode = (typeof consentModes)[number];
