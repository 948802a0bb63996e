import { belowEndpoint } from '../../../base/text/below-endpoint.js';
import type { CallLine } from '../../../contract/routes/calls.js';
import { statusTone, type Tone } from '../../ui/status.js';

/** The title of a call in lists, and its subject: the error, if it failed. */
export function describeLine(line: CallLine): { title: string; detail: string } {
  const { title, detail } = describeSubject(line);
  return { title, detail: line.failure?.message ?? detail };
}

function describeSubject(line: CallLine): { title: string; detail: string } {
  const { type, subject, component, action, method, url } = line;
  if (method !== undefined && url !== undefined)
    return { title: `${method} ${belowEndpoint(url)}`, detail: type };
  if (line.lines) return { title: 'script', detail: line.lines.at(-1)?.text ?? '' };
  const about = component === undefined ? subject : [component, action].filter(Boolean).join(' · ');
  return { title: type, detail: about ?? line.space ?? line.site ?? '' };
}

export function outcomeWords({ outcome, status }: Pick<CallLine, 'outcome' | 'status'>): {
  tone: Tone;
  text: string;
} {
  switch (outcome) {
    case 'running':
      return { tone: 'info', text: 'Running' };
    case 'ok':
      return {
        tone: statusTone(status ?? 200),
        text: status === undefined ? 'OK' : `${status}`,
      };
    case 'failed':
      return { tone: 'bad', text: status === undefined ? 'Failed' : `${status} failed` };
    case 'no-handler':
      return { tone: 'calm', text: 'No handler' };
    case 'withheld':
      return { tone: 'warn', text: 'Withheld' };
  }
}
