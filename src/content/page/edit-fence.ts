import { parsePage } from './parse-page.js';

/**
 * Replaces the content of the code fence that starts at `start`. All bytes outside the fence stay unchanged. Returns undefined
 * if the content cannot be written there, for example because the fence is in a list.
 */
export function editFence(text: string, start: number, body: string): string | undefined {
  const [whole, indent = '', marks = ''] = /^( {0,3})(`{3,}|~{3,})/.exec(text.slice(start)) ?? [];
  const node = fenceAt(text, start);
  if (whole === undefined || node?.end === undefined) return undefined;
  const [eol = '\n'] = /\r\n|\n|\r/.exec(text) ?? [];
  const sign = marks.charAt(0);
  const inside = Math.max(0, ...[...body.matchAll(sign === '`' ? /`+/g : /~+/g)].map(([run]) => run.length));
  const fence = inside >= marks.length ? sign.repeat(inside + 1) : marks;
  const [info = ''] = /^[^\r\n]*/.exec(text.slice(start + whole.length)) ?? [];
  const lines = body === '' ? [] : body.split(/\r\n|\n|\r/);
  const written = [`${indent}${fence}${info}`, ...lines, `${indent}${fence}`].join(eol);
  const edited = text.slice(0, start) + written + text.slice(node.end);
  return fenceAt(edited, start)?.text === lines.join('\n') ? edited : undefined;
}

function fenceAt(text: string, start: number) {
  for (const block of parsePage(text).blocks)
    if (block.kind === 'code' && block.start === start) return block;
  return undefined;
}
