/** What can come of a visit to the built-in OAuth provider. */
export const oauthOutcomes = ['approve', 'deny', 'expired-code', 'no-refresh-token'] as const;
export type OAuthOutcome = (typeof oauthOutcomes)[number];

/** Decided for every visit by an option, or by the user on the provider's page. */
export const consentModes = [...oauthOutcomes, 'ask'] as const;
export type ConsentMode = (typeof consentModes)[number];
