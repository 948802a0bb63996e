import { belowEndpoint } from '../../../base/text/below-endpoint.js';
import type { CallLine, CallRecord } from '../../../contract/routes/calls.js';
import { statusTone, type Tone } from '../../ui/tone.js';

/** The percent-encoded dot that masks a character of a secret in a URL, such as an OAuth code. */
const encodedMask = '%E2%80%A2';

type Named = Pick<CallLine, 'type' | 'component' | 'action' | 'method' | 'url'>;

/** Returns the subject of a call: a component and its action, a method and a path, or an event. */
export function callTitle({ type, component, action, method, url }: Named): string {
  if (method !== undefined && url !== undefined)
    return `${method} ${belowEndpoint(url).replaceAll(encodedMask, '•')}`;
  return component === undefined ? type : [component, action].filter(Boolean).join('/');
}

export function recordTitle({ request, event, source }: CallRecord): string {
  const type = event?.type ?? (source === 'script' ? 'script' : 'envelope');
  const rendered = event?.type === 'ui_render' && {
    component: event.componentId,
    ...(event.action && { action: event.action.action }),
  };
  return callTitle({ type, ...rendered, ...request });
}

export const describeLine = (line: CallLine): { title: string; detail: string } => ({
  title: callTitle(line),
  detail: line.reason ?? subjectOf(line),
});

function subjectOf({ type, component, method, lines, subject, space, site }: CallLine): string {
  if (component !== undefined) return type;
  return lines?.at(-1)?.text ?? (method === undefined ? (subject ?? space ?? site) : undefined) ?? '';
}

type Judged = Pick<CallLine, 'outcome' | 'status' | 'severity'>;

/**
 * Returns the status of a call as a label. If the status is a success but the call has a problem, the label shows both, as
 * in `200 failed`.
 */
export function outcomeWords({ outcome, status, severity }: Judged): { tone: Tone; text: string } {
  switch (outcome) {
    case 'running':
      return { tone: 'info', text: 'Running' };
    case 'no-handler':
      return { tone: 'calm', text: 'No handler' };
    case 'withheld':
      return { tone: 'bad', text: 'Withheld' };
    case 'failed':
      return { tone: 'bad', text: withStatus(status, 'failed') };
    case 'ok':
      if (severity === 'error') return { tone: 'bad', text: withStatus(status, 'failed') };
      if (severity === 'warning') return { tone: 'warn', text: withStatus(status, 'warning') };
      return { tone: statusTone(status ?? 200), text: status === undefined ? 'OK' : String(status) };
  }
}

const withStatus = (status: number | undefined, word: string): string =>
  status === undefined ? word.charAt(0).toUpperCase() + word.slice(1) : `${status} ${word}`;
