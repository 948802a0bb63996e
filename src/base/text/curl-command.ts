/** Quotes a string as one word for a POSIX shell. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Quotes an argument only if a shell requires it, and if possible in a way that cmd and PowerShell understand too. */
export const shellWord = (text: string): string =>
  /^(?!@)[\w@%+=:./-]+$/.test(text) ? text : /["$`\\!]/.test(text) ? shellQuote(text) : `"${text}"`;

export interface CurlRequest {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** Additional options, one per line. */
  options?: readonly string[];
}

/** Headers that curl adds on its own. */
const madeByCurl = new Set(['host', 'content-length', 'connection', 'accept-encoding', 'transfer-encoding']);

/** Formats a request as a curl command with one option per line. */
export const curlCommand = ({ method, url, headers, options = [] }: CurlRequest): string =>
  [
    `curl ${method === 'HEAD' ? '--head' : `-X ${shellWord(method)}`} ${shellQuote(url)}`,
    ...headers
      .filter(([name]) => !madeByCurl.has(name.toLowerCase()))
      .map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...options,
  ].join(' \\\n  ');

/** Returns the curl option that sends this string unchanged. */
export const sendText = (text: string): string => `--data-raw ${shellQuote(text)}`;

export const webhookCurl = ({ body, ...request }: Omit<CurlRequest, 'method'> & { body: string }): string =>
  curlCommand({ method: 'POST', ...request, options: [sendText(body)] });
