/** A link that a pattern of `urlUnfurl` takes, as somebody might paste it. */
export function sampleLink(pattern: string): string {
  const address = /^https?:/i.test(pattern) ? pattern : `https://${pattern}`;
  return address.replaceAll(/[*]+|[/]$/g, (end) => (end === '/' ? '/1' : '1'));
}
