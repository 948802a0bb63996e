import type { RecordingResource } from '../../emulator/index.js';
import { UserError } from '../../base/user-error.js';
import { ENCRYPTED, type Recorded } from './record-calls.js';

/** A fact about a new recording: either a sentence, or a heading with its lines. */
export type RecordedFact = RecordingResource['facts'][number];

const MANY = 50;

/** What became different when the calls were run again, the first difference of each call. */
export const changedFact = ({ changed }: Pick<Recorded['report'], 'changed'>): RecordedFact => ({
  title: 'Different from the log:',
  lines: changed.flatMap(({ call, what, before, after, why }) => [
    `${call}: ${what}${why === undefined ? '' : `, perhaps because ${why}`}`,
    `  log:    ${before.trim().slice(0, LONGEST)}`,
    `  replay: ${after.trim().slice(0, LONGEST)}`,
  ]),
  warn: true,
});

const LONGEST = 200;

export function differsFromLog({ report }: Recorded): UserError {
  const [first] = report.changed;
  const count = report.changed.length;
  return new UserError(
    'recording-differs',
    `Nothing was written, because ${count === 1 ? `the call "${first?.call}"` : `${count} calls`} did not repeat as logged.`,
    report.changed.every(({ why }) => why === ENCRYPTED)
      ? 'Such a value cannot be recorded. Test both calls together with createTestPlatform(), which keeps the secret, or write the recording anyway with --force.'
      : 'Add what is missing with --keep-header, --keep or --with-binary, or write the recording anyway with --force.',
  );
}

/** Describes what was replaced, what was omitted, and what whoever records the calls must check. */
export function describeRecorded({ recording, report }: Recorded): RecordedFact[] {
  const { replaced, hidden, suspects, signed, unsigned, leftOut, unstable, privateData, emails, addresses } =
    report;
  const list = (title: string, lines: string[], warn = false): RecordedFact[] =>
    lines.length === 0 ? [] : [{ title, lines, warn }];
  const say = (title: string): RecordedFact[] => [{ title, lines: [], warn: true }];
  const personal = [
    ...(emails > 0 ? [`${emails} email ${emails === 1 ? 'address' : 'addresses'}`] : []),
    ...(addresses > 0 ? [`${addresses} IP ${addresses === 1 ? 'address' : 'addresses'}`] : []),
  ].join(' and ');
  const calls = recording.calls.length;
  return [
    ...(report.changed.length > 0 ? [changedFact(report)] : []),
    ...list('Replaced with made-up values:', replaced),
    ...list("Hidden as •••, because the script's code contains the secret:", hidden, true),
    ...list(
      'Possible secrets that were kept. Replace them with --redact <path> if they are real:',
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
      'Differs between replays:',
      unstable.map(({ call, why }) => `${call}: ${why}`),
      true,
    ),
    ...list('May be private data. Replace it with --redact <path> if it is real:', privateData, true),
    ...(personal === ''
      ? []
      : say(`It contains ${personal}. Replace them with --redact <path> if they are real.`)),
    ...(calls > MANY
      ? say(`${calls} calls in one recording are hard to review and merge. Record fewer calls.`)
      : []),
  ];
}
