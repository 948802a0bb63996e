import type { Recorded } from './record-calls.js';

/** A fact about a new recording: either a sentence, or a heading with its lines. */
export interface RecordedFact {
  title: string;
  lines: string[];
  /** Whether whoever records the call must check this. */
  warn: boolean;
}

const MANY = 50;

/** Describes what was replaced, what was omitted, and what whoever records the calls must check. */
export function describeRecorded({ recording, report }: Recorded): RecordedFact[] {
  const { replaced, suspects, signed, unsigned, leftOut, changed, unstable, emails, addresses } = report;
  const list = (title: string, lines: string[], warn = false): RecordedFact[] =>
    lines.length === 0 ? [] : [{ title, lines, warn }];
  const say = (title: string): RecordedFact[] => [{ title, lines: [], warn: true }];
  const personal = [
    ...(emails > 0 ? [`${emails} email ${emails === 1 ? 'address' : 'addresses'}`] : []),
    ...(addresses > 0 ? [`${addresses} IP ${addresses === 1 ? 'address' : 'addresses'}`] : []),
  ].join(' and ');
  const calls = recording.calls.length;
  return [
    ...list('Replaced with made-up values:', replaced),
    ...list(
      'Kept, although it looks like a secret. Replace it with --redact <path> if it is one:',
      suspects,
      true,
    ),
    ...list(
      'Signed again:',
      signed.map(({ call, what, secret }) => `${call}: ${what}, with ${secret}`),
    ),
    ...list('Left out:', leftOut),
    ...list(
      'Not re-signed, because no known secret matches:',
      unsigned.map(({ call, what }) => `${call}: ${what}`),
      true,
    ),
    ...list(
      'Different from the log:',
      changed.map(
        ({ call, before, after, requests: [sent, sends] }) =>
          `${call}: responded with ${before} in the log, but with ${after ?? 'nothing'} in the replay` +
          (sent === sends ? '' : `; sent ${sent} requests, but ${sends} in the replay`),
      ),
      true,
    ),
    ...list(
      'Differs between replays:',
      unstable.map(({ call, why }) => `${call}: ${why}`),
      true,
    ),
    ...(personal === ''
      ? []
      : say(`It contains ${personal}. Replace them with --redact <path> if they are real.`)),
    ...(calls > MANY
      ? say(`${calls} calls in one recording are hard to review and merge. Record fewer calls.`)
      : []),
  ];
}
