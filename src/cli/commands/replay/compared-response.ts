import type { TextBody } from '../../session/trigger-result.js';

export interface RecordedAnswer {
  version: number;
  status: number;
  headers: [name: string, value: string][];
  body: TextBody;
}

/** Differ with every answer, and say nothing. */
const restless = new Set(['date', 'content-length', 'connection', 'keep-alive']);

/** An answer as text that can be compared line by line. */
export function answerText({ status, headers, body }: RecordedAnswer): string {
  const lines = headers.filter(([name]) => !restless.has(name)).map(([name, value]) => `${name}: ${value}`);
  return `${[`status ${status}`, ...lines.sort(), '', ...bodyLines(body)].join('\n')}\n`;
}

function bodyLines({ encoding, content }: TextBody): string[] {
  if (encoding === 'base64') return content.match(/.{1,76}/g) ?? [];
  try {
    return JSON.stringify(JSON.parse(content), undefined, 2).split('\n');
  } catch {
    return content.split(/\r?\n/);
  }
}
