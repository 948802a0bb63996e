export interface ComparableResponse {
  status: number;
  headers: [name: string, value: string][];
  /** Text, or base64 if the bytes are not valid UTF-8. */
  body: { encoding: 'utf-8' | 'base64'; content: string };
}

/** Headers that may differ even if the script behaved the same way both times. */
const volatileHeaders = new Set(['date', 'content-length', 'connection', 'keep-alive', 'transfer-encoding']);

const comparableHeaders = ({ headers }: ComparableResponse): string[] =>
  headers
    .filter(([name]) => !volatileHeaders.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}`)
    .sort();

export function sameResponse(before: ComparableResponse, after: ComparableResponse): boolean {
  const comparedText = (response: ComparableResponse): string =>
    JSON.stringify([response.status, comparableHeaders(response), response.body]);
  return comparedText(before) === comparedText(after);
}

export const responseText = (response: ComparableResponse): string =>
  [`status ${response.status}`, ...comparableHeaders(response), '', ...bodyLines(response.body)].join('\n');

function bodyLines({ encoding, content }: ComparableResponse['body']): string[] {
  if (encoding === 'base64') return content.match(/.{1,76}/g) ?? [];
  try {
    return JSON.stringify(JSON.parse(content), undefined, 2).split('\n');
  } catch {
    return content.split(/\r?\n/);
  }
}
