/** A kind of secret that can be recognized by its form, whatever field it is in. */
export interface SecretShape {
  /** What kind of secret it is, with an article, for use in a sentence. */
  kind: string;
  /** Matches only complete secrets. Matches are reported to the author as leaks, so there must be no false positives. */
  exact?: RegExp;
  /**
   * Also matches values that might be such a secret. Matches are replaced in recordings, where replacing too much is
   * better than replacing too little. If the expression has a group, only the text in the group is secret.
   */
  possible?: RegExp;
}

export const secretShapes: readonly SecretShape[] = [
  { kind: 'a JSON Web Token', possible: /\beyJ[\w-]{8,4000}\.eyJ[\w-]{8,}\.[\w-]*/g },
  {
    kind: 'a private key',
    exact: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----\s*[A-Za-z0-9+/=\\]{20}/g,
    possible: /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[^-]{1,20000}-----END [A-Z ]{0,20}PRIVATE KEY-----/g,
  },
  { kind: 'request credentials', possible: /\b(?:Bearer|Basic|Token) ([\w.~+/=-]{12,})/g },
  {
    kind: 'an AWS access key',
    exact: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g,
    possible: /\b(?:AKIA|ASIA)[A-Z\d]{16}/g,
  },
  {
    kind: 'a GitHub token',
    exact: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})\b/g,
    possible: /\b(?:gh[oprsu]_\w{20,}|github_pat_\w{20,})/g,
  },
  { kind: 'a GitLab token', exact: /\bglpat-[A-Za-z0-9_-]{20}\b/g, possible: /\bglpat-[\w-]{16,}/g },
  {
    kind: 'a Slack token',
    exact: /\bxox[abeprs]-(?:\d{9,13}-){1,3}[A-Za-z0-9]{20,}\b/g,
    possible: /\b(?:xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,})/g,
  },
  {
    kind: 'a Slack webhook URL',
    exact: /\bhttps:\/\/hooks\.slack\.com\/services\/T[A-Z0-9]{8,}\/B[A-Z0-9]{8,}\/[A-Za-z0-9]{24}\b/g,
    possible: /\bhooks\.slack\.com\/services\/[\w/]{20,}/g,
  },
  {
    kind: 'a Discord webhook URL',
    exact: /\bhttps:\/\/discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,}/g,
    possible: /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{1,30}\/([\w-]{20,})/g,
  },
  {
    kind: 'a Stripe key',
    exact: /\b(?:sk|rk)_live_[A-Za-z0-9]{24,}\b/g,
    possible: /\b(?:sk|rk|whsec)_(?:live_|test_)?[\w+/]{16,}/g,
  },
  { kind: 'a Google API key', exact: /\bAIza[\w-]{35}(?![\w-])/g, possible: /\bAIza[\w-]{35}/g },
  { kind: 'a Google access token', possible: /\bya29\.[\w-]{20,}/g },
  { kind: 'a Google OAuth client secret', exact: /\bGOCSPX-[\w-]{28}(?![\w-])/g },
  {
    kind: 'an OpenAI key',
    exact: /\bsk-(?:proj-)?[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}\b|\bsk-proj-[\w-]{60,}/g,
    // Also matches keys of other services, if they start with `sk-`.
    possible: /\bsk-[\w-]{20,}/g,
  },
  { kind: 'an Anthropic key', exact: /\bsk-ant-(?:api|admin)\d{2}-[\w-]{80,}/g },
  { kind: 'an npm token', exact: /\bnpm_[A-Za-z0-9]{36}\b/g, possible: /\bnpm_\w{30,}/g },
  { kind: 'a PyPI token', exact: /\bpypi-AgEIcHlwaS5vcmc[\w-]{50,}/g },
  {
    kind: 'a SendGrid key',
    exact: /\bSG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g,
    possible: /\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  },
  { kind: 'a Twilio key', exact: /\bSK[0-9a-f]{32}\b/g },
  { kind: 'a DigitalOcean token', exact: /\bdo[opr]_v1_[0-9a-f]{64}\b/g },
  { kind: 'a Shopify token', exact: /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b/g },
  { kind: 'a Telegram bot token', exact: /(?<!\d)\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  { kind: 'an Azure storage key', exact: /\bAccountKey=[A-Za-z0-9+/]{86}==/g },
  { kind: 'an Atlassian token', possible: /\bATATT[\w=-]{20,}/g },
  { kind: 'a Linear key', exact: /\blin_api_[A-Za-z0-9]{40}\b/g, possible: /\blin_api_\w{20,}/g },
  {
    kind: 'a password in a URL',
    exact: /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@'"`$<>{}]+:[^\s/@'"`$<>{}]{8,}@[a-z0-9.-]+\.[a-z]{2,}/gi,
    possible: /:\/\/[^\s/:@"'<>]{0,200}:([^\s/:@"'<>]{4,200})@/g,
  },
];
