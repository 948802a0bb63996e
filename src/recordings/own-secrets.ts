import { createScan, hiddenSecret } from '../protocol/mask-secrets.js';
import { spellingsOf } from '../protocol/secret-spellings.js';
import { maskedParts, seededId, type ReplayOutcome } from '../sandbox/index.js';
import type { RecordedCall, Recording } from './file/recording.js';
import { webToken } from './record/made-up-value.js';
import { createReplacer, mapTexts, masks, readablePath, replaceSecrets } from './record/replace-secrets.js';
import { signingCandidates } from './recorded-environment.js';
import { toRecorded } from './recorded-outcome.js';

type Did = ReturnType<typeof toRecorded>;

/** Pieces of text are compared one by one, so that a mask stands for a part of one line or of one field. */
const pieces = /([\n&])/;
/** The file may come from an untrusted source. */
const MOST_MASKS = 100;

/**
 * Returns `after` with the masks in `before`, where the rest is equal. Calls `standsFor` with the text in place of each mask.
 */
export function keepMasks<Value>(before: unknown, after: Value, standsFor?: (text: string) => void): Value {
  const keep = (old: unknown, now: unknown): unknown => {
    if (typeof old === 'string' && typeof now === 'string') return keepInText(old, now, standsFor);
    if (typeof old !== 'object' || typeof now !== 'object' || old === null || now === null) return now;
    if (Array.isArray(now)) return now.map((inner, at) => keep((old as unknown[])[at], inner));
    const inner = ([name, value]: [string, unknown]): [string, unknown] => [
      name,
      keep(Object.hasOwn(old, name) ? (old as Record<string, unknown>)[name] : undefined, value),
    ];
    return Object.fromEntries(Object.entries(now).map(inner));
  };
  return keep(before, after) as Value;
}

function keepInText(before: string, after: string, standsFor: (text: string) => void = () => {}): string {
  if (before.search(masks) === -1) return after;
  if (before.replaceAll(masks, '') === '') {
    standsFor(after);
    return before;
  }
  const recorded = before.split(pieces);
  const masked = recorded.filter((piece) => piece.search(masks) !== -1);
  // A mask without any text around it stands for everything, so only its position shows what it is for.
  const anywhere = masked.filter((piece) => piece.replaceAll(masks, '') !== '').slice(0, MOST_MASKS);
  return after
    .split(pieces)
    .map((piece, at) => {
      const old = recorded[at] ?? '';
      for (const other of masked.includes(old) ? [old, ...anywhere] : anywhere) {
        const parts = maskedParts(other, piece);
        parts?.forEach(standsFor);
        if (parts) return other;
      }
      return piece;
    })
    .join('');
}

/** Returns the recorded results in the order in which the script has produced them now. */
export const inNewOrder = (call: RecordedCall, { outbound }: ReplayOutcome): object => ({
  ...call,
  outbound: outbound.map(({ recorded = -1 }) => call.outbound[recorded]),
});

interface HideOptions {
  /** The secrets that were replaced in the inputs. */
  replaced: Iterable<string>;
  redact: readonly string[];
  keep: readonly string[];
}

/**
 * Returns a function that returns what a script did, with masks instead of the secrets that are in its own code. These cannot be
 * replaced, because the script would send the real ones in each replay. In a replay, a mask matches any text. Without options,
 * texts that the recording already contains are kept.
 */
export function createHide({ secrets }: Pick<Recording, 'secrets'>, options?: HideOptions) {
  const { replaced = [], redact = [], keep = [] } = options ?? {};
  const hideReplaced = createReplacer(new Map([...replaced].map((secret) => [secret, hiddenSecret])));
  return (call: RecordedCall, outcome: ReplayOutcome): { did: Did; hidden: string[] } => {
    const did = toRecorded(outcome, call.outbound);
    const { response, failure, rejected } = did;
    const own = { outbound: did.outbound.map(withoutAnswer), response, failure, rejected };
    const found = new Set<string>();
    keepMasks(inNewOrder(call, outcome), own, (text) => void found.add(text));
    const draft: RecordedCall = { name: '', after: 0, stored: {}, event: { type: '', own }, outbound: [] };
    const recorded = options ? '' : JSON.stringify([call.outbound.map(withoutAnswer), call.response]);
    for (const secret of replaceSecrets([draft], redact, keep).found.keys())
      if (!recorded.includes(inJson(secret))) found.add(secret);
    const isInput = createIsInput(call, secrets);
    // The claims of a JSON Web Token are compared. Without its signature, it is useless to others.
    const literals = [...found]
      .map((text) => webToken.exec(text)?.[3] ?? text)
      .filter((text) => text.length >= SHORTEST && !isInput(text));
    const hide = createReplacer(new Map(literals.map((text) => [text, hiddenSecret])));
    const hidden = new Set<string>();
    const cleaned = mapTexts(own, [], (value, path) => {
      if (typeof value !== 'string' || path.at(-1) === '$base64') return value;
      const text = hide(hideReplaced(value));
      if (text !== value) hidden.add(readablePath(path));
      return text;
    }) as typeof own;
    const outbound = did.outbound.map((request, at) => ({ ...request, ...cleaned.outbound[at] }));
    return { did: { ...did, ...withoutUndefined(cleaned), outbound }, hidden: [...hidden] };
  };
}

const SHORTEST = 4;
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const withoutAnswer = ({ answer: _answer, ms: _ms, ...sent }: RecordedCall['outbound'][number]) => sent;

/** Absent results must stay absent in the file. */
const withoutUndefined = <Value extends object>(value: Value): Partial<Value> =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as Partial<Value>;

/** Returns a function that tells whether a text comes from a call's inputs, which contain only made-up secrets. */
function createIsInput(
  { stored, event, body, outbound }: RecordedCall,
  secrets: Recording['secrets'],
): (text: string) => boolean {
  const inputs = JSON.stringify([secrets, stored, event, body, outbound.map(({ answer }) => answer)]);
  let made: ReturnType<typeof createScan> | undefined;
  const occurs = (scan: ReturnType<typeof createScan>, text: string): boolean =>
    scan(text, text.length).masked !== undefined;
  return (text) => {
    if (madeUp.test(text) || text.search(seededId) !== -1 || inputs.includes(inJson(text))) return true;
    const values = [
      ...Object.values(secrets),
      ...signingCandidates(stored).map(({ value }) => value),
      ...(inputs.match(madeUpWord) ?? []),
    ];
    made ??= createScan([...new Set(values)].flatMap(spellingsOf), '');
    return occurs(made, text) || (text.length >= LONG && occurs(createScan(spellingsOf(text), ''), inputs));
  };
}

/** Shorter texts have encodings that also occur in other text. */
const LONG = 8;
/** Matches a mark of made-up values, but not a domain such as `example.com`. */
const madeUp = /(?<!\.)example(?!\.)/i;
const madeUpWord = /(?<![\w-])[\w-]{0,200}example[\w-]{5,200}/gi;
