/** A word for a POSIX shell, whatever it contains. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export interface CurlRequest {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** Further options, each a line. */
  options?: readonly string[];
}

/** A request as a curl command, one option on each line. */
export const curlCommand = ({ method, url, headers, options = [] }: CurlRequest): string =>
  [
    `curl ${method === 'HEAD' ? '--head' : `-X ${method}`} ${shellQuote(url)}`,
    ...headers.map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...options,
  ].join(' \\\n  ');

/** The option that sends a text exactly as it is. */
export const sendText = (text: string): string => `--data-raw ${shellQuote(text)}`;

/** A signed request as a command. */
export const webhookCurl = ({ body, ...request }: Omit<CurlRequest, 'method'> & { body: string }): string =>
  curlCommand({ method: 'POST', ...request, options: [sendText(body)] });
