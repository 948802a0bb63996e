export interface Token {
  kind: 'plain' | 'string' | 'number' | 'word' | 'note' | 'key';
  text: string;
}

const words =
  'as|async|await|break|case|catch|class|const|continue|default|def|elif|else|enum|except|export|extends|False|false|finally|for|from|function|if|implements|import|in|instanceof|interface|let|new|None|null|of|private|public|raise|return|static|switch|this|throw|True|true|try|type|typeof|undefined|var|void|while|yield';

const pattern = new RegExp(
  [
    // The two slashes in a URL do not start a comment.
    String.raw`(?<note>(?<!:)\/\/.*|(?<!\S)#(?:[\s!].*|$)|\/\*.*?\*\/|<!--.*?-->)`,
    // Names before a colon, called functions and options of commands.
    String.raw`(?<key>"(?:[^"\\]|\\.)*"(?=\s*:)|(?<![\w'"$.-])[\w$.-]+(?=:(?:\s|$))|(?<![\w$])(?!(?:${words})\b)[A-Za-z_$][\w$]*(?=\()|(?<=\s)--?[A-Za-z][\w-]*)`,
    String.raw`(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\x60(?:[^\x60\\]|\\.)*\x60)`,
    String.raw`(?<number>(?<![\w.-])\d[\d._]*(?:[eE][+-]?\d+)?\b(?![.-]))`,
    String.raw`(?<word>\b(?:${words})\b|(?<!\w)<\/?[A-Za-z][\w.-]*)`,
  ].join('|'),
  'g',
);

/** Splits a line into tokens for highlighting. The result is approximate, but works for most languages. */
export function tokensOf(line: string): Token[] {
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
