/** Hosts reserved for examples and tests, so they can never belong to a service. */
const reserved = /(?:^|\.)(?:example\.(?:com|org|net)|example|test|invalid)$/i;
/** Matches a label such as `your-domain`, `yourcompany` or `<tenant>`, which the author was supposed to replace. */
const toReplace =
  /(?:^|\.)(?:your[-_]?(?:api|app|company|domain|host|instance|org|organization|provider|server|service|site|subdomain|team|tenant|url|workspace)|<[^<>]+>)(?:\.|$)/i;

export const isPlaceholderHost = (host: string): boolean => reserved.test(host) || toReplace.test(host);
