export interface Token {
  kind: 'plain' | 'string' | 'number' | 'word' | 'note';
  text: string;
}

const words =
  'async|await|break|case|catch|class|const|continue|default|def|else|export|extends|false|finally|for|from|function|if|import|in|instanceof|interface|let|new|null|of|return|switch|throw|true|try|type|typeof|undefined|var|while|yield';

const pattern = new RegExp(
  [
    String.raw`(?<note>\/\/.*|#\s.*|\/\*.*?\*\/)`,
    String.raw`(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\x60(?:[^\x60\\]|\\.)*\x60)`,
    String.raw`(?<number>\b\d[\d._]*(?:e[+-]?\d+)?\b)`,
    String.raw`(?<word>\b(?:${words})\b)`,
  ].join('|'),
  'g',
);

/** Highlights a line approximately, in a way that works for most languages. */
export function tokens(line: string): Token[] {
  if (line.length > 2000) return [{ kind: 'plain', text: line }];
  const found: Token[] = [];
  let at = 0;
  for (const match of line.matchAll(pattern)) {
    if (match.index > at) found.push({ kind: 'plain', text: line.slice(at, match.index) });
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] ?? 'plain';
    found.push({ kind: kind as Token['kind'], text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < line.length) found.push({ kind: 'plain', text: line.slice(at) });
  return found;
}
