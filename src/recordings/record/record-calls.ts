import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../base/user-error.js';
import { signingCandidates } from '../recorded-environment.js';
import type { ReplayedProject } from '../open-replayed-project.js';
import { compareWithLog } from '../compare-outcome.js';
import { checkRecording } from '../file/check-recording.js';
import type { RecordedCall, Recording } from '../file/recording.js';
import { RECORDING_VERSION } from '../file/recording.js';
import { createHide } from '../own-secrets.js';
import { withOutcome } from '../recorded-outcome.js';
import { replayCalls, type ReplayResult } from '../replay-calls.js';
import type { ReplayCall } from '../../sandbox/index.js';
import { draftCall } from './draft-call.js';
import type { Candidate, LoggedCall } from '../../emulator/index.js';
import { madeUpValue } from './made-up-value.js';
import { visitTexts } from './find-named-values.js';
import { replaceSecrets } from './replace-secrets.js';
import { maySecretBeIn, privateNumbersIn } from './possible-secrets.js';
import { findSigned, withoutSignatures } from './sign-again.js';

export interface RecordOptions {
  project: Pick<ReplayedProject, 'environment' | 'integration' | 'declared' | 'script' | 'run'>;
  /** The recording that the new one replaces. */
  former?: Recording | undefined;
  platformVersion: string;
  schema: string;
  redact: readonly string[];
  keep: readonly string[];
  keepHeaders: readonly string[];
  withBinary: boolean;
  signal?: AbortSignal;
}

export interface Recorded {
  recording: Recording;
  /** Information for whoever records the calls. */
  report: {
    /** Where secrets were replaced. */
    replaced: string[];
    /** Where secrets in the script's own code were masked. */
    hidden: string[];
    /** Where values look like secrets but were kept. */
    suspects: string[];
    signed: { call: string; what: string; secret: string }[];
    /** Parts of calls that depend on an unknown secret. */
    unsigned: { call: string; what: string }[];
    leftOut: string[];
    /** Calls whose replay differs from the log, each with the first difference. */
    changed: { at: number; call: string; what: string; before: string; after: string; why?: string }[];
    /** Nondeterministic calls, each with the reason. */
    unstable: { call: string; why: string }[];
    /** Where values look like personal numbers. */
    privateData: string[];
    emails: number;
    addresses: number;
  };
}

export const ENCRYPTED = 'a value was encrypted with a secret that was replaced';

/**
 * Converts logged calls to a recording. The log provides only the inputs. Each call is then run with made-up secrets, and
 * the results become the expected results in the recording. A second run shows what is not deterministic.
 */
export async function recordCalls(
  logged: readonly LoggedCall[],
  options: RecordOptions,
  whole: readonly number[] = [],
): Promise<Recorded> {
  const {
    inputs: signed,
    calls,
    first,
    filled,
    leftOut,
    plain,
    made,
    found,
    report,
  } = await rerunCalls(logged, options, whole);
  const hide = createHide(signed, { ...options, replaced: found.keys() });
  const hideIn = (result: ReplayResult | undefined, at: number) => {
    const call = signed.calls[at];
    return call && result && hide(call, result.outcome);
  };
  const results = first.map(hideIn);
  const recording = {
    ...signed,
    calls: signed.calls.map((call, at) => {
      const { did } = results[at] ?? {};
      return did ? withOutcome(call, did) : call;
    }),
  };
  report.hidden = [...new Set(results.flatMap((result) => result?.hidden ?? []))];
  const changeOf = (at: number, other?: ReplayResult): ReturnType<typeof compareWithLog> => {
    const [call, { did } = {}] = [calls[at], results[at]];
    return call && did && compareWithLog(call, did, filled, hideIn(other, at)?.did);
  };
  // What differs again with other random values depends on them.
  const others = calls.some((_, at) => changeOf(at))
    ? await replay(signed, options, (call) => ({ ...draft(call), seed: call.seed + calls.length }))
    : [];
  for (const [at, other] of others.entries()) {
    const change = changeOf(at, other);
    if (!change) continue;
    const [missing] = leftOut[at] ?? [];
    const { kind, ...lines } = change;
    const what = kind === 'response' ? 'the response differs' : 'the outbound requests differ';
    const why =
      missing === undefined ? first[at]?.outcome.decryptFailed && ENCRYPTED : `this was left out: ${missing}`;
    report.changed.push({ at, call: other.call.name, what, ...lines, ...(why && { why }) });
  }
  if (report.changed.length > 0 && whole.length === 0) {
    // The script may have passed on headers that the connection added.
    const changed = report.changed.map(({ at }) => at);
    const again = await recordCalls(logged, options, changed);
    if (again.report.changed.length < changed.length) return again;
  }
  const second = await replay(recording, options);
  for (const { call, differences } of second) {
    if (differences.length === 0) continue;
    const why =
      call.unrepeatable?.join(', ') ?? `its ${differences.map(({ kind }) => kind).join(' and ')} changed`;
    report.unstable.push({ call: call.name, why });
  }
  report.suspects = [
    ...new Set([...plain, ...placesOf(recording.calls, (text) => (maySecretBeIn(text, made) ? [''] : []))]),
  ];
  report.privateData = placesOf(recording.calls, (text) =>
    privateNumbersIn(text).map((kind) => ` (${kind})`),
  );
  Object.assign(report, countPersonalData(JSON.stringify(recording.calls)));
  return { recording, report };
}

/** Runs logged calls again with made-up secrets. The log provides only the inputs, and the responses to outbound requests. */
export async function rerunCalls(
  logged: readonly LoggedCall[],
  options: RecordOptions,
  whole: readonly number[] = [],
  change: ((call: ReplayCall) => ReplayCall) | undefined = draft,
) {
  const { project, redact, keep, keepHeaders, withBinary } = options;
  const start = Math.min(...logged.map(({ time }) => time));
  const leftOut: Set<string>[] = [];
  const drafts = withStableIds(
    logged,
    logged.map((call, at) => {
      const missing = new Set<string>();
      leftOut.push(missing);
      return draftCall(call, {
        integration: project.integration,
        start,
        withBinary,
        keepHeaders,
        whole: whole.includes(at),
        leftOut: (what) => void missing.add(what),
      });
    }),
  );
  const { calls, found, places, plain, made, filled } = replaceSecrets(drafts, redact, [
    ...keep,
    ...keepHeaders.map((name) => `headers.${name}`),
  ]);
  const secrets = secretsOf(project.declared, logged, made);
  const inputs: Recording = {
    $schema: options.schema,
    version: RECORDING_VERSION,
    integration: project.integration.name,
    platform: options.platformVersion,
    ...(project.environment !== undefined && { environment: project.environment }),
    at: new Date(start).toISOString(),
    secrets,
    calls,
  };
  const report: Recorded['report'] = {
    replaced: [...Object.keys(secrets), ...places],
    hidden: [],
    suspects: [],
    signed: [],
    unsigned: [],
    leftOut: [...new Set(leftOut.flatMap((missing) => [...missing]))],
    changed: [],
    unstable: [],
    privateData: [],
    emails: 0,
    addresses: 0,
  };
  // The logged responses are not inputs, and may contain masks, which are not allowed in headers.
  const problem = checkRecording({ ...inputs, calls: calls.map(({ response: _response, ...call }) => call) });
  if (problem !== undefined)
    throw new UserError(
      'unrecordable',
      `These calls cannot be recorded, because ${problem}.`,
      'Choose others.',
    );
  const signed = withFormerTimes(await signAgain(inputs, made, logged, options, report), options.former);
  const first = await replay(signed, options, change);
  return { inputs: signed, calls, first, filled, leftOut, plain, made, found, report };
}

/** Calls that only happened at another time keep their former times, so that recording them again changes nothing. */
function withFormerTimes(recording: Recording, former: Recording | undefined): Recording {
  const inputsOf = ({ stored, event, body, outbound }: RecordedCall): unknown =>
    JSON.parse(JSON.stringify([stored, event, body, outbound.map(({ answer }) => answer)]));
  const same = recording.calls.map((call, index) => {
    const old = former?.calls[index];
    return old && isDeepStrictEqual(inputsOf(old), inputsOf(call)) ? old : undefined;
  });
  const isWhole = former?.calls.length === same.length && !same.includes(undefined);
  const calls = recording.calls.map((call, index) => {
    const { after, outbound } = same[index] ?? call;
    const timed = call.outbound.map((request, at) => ({ ...request, ms: outbound[at]?.ms ?? request.ms }));
    return { ...call, ...(isWhole && { after }), outbound: timed };
  });
  return { ...recording, ...(isWhole && { at: former.at }), calls };
}

/** Counts the different email and IP addresses. In a long run of letters, an address is only tried from the beginning. */
export function countPersonalData(text: string): { emails: number; addresses: number } {
  const found = (pattern: RegExp): Set<string> => new Set(text.match(pattern));
  const addresses = found(/(?<![\d.])(?!127\.)(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/g);
  const emails = found(/(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g);
  return { emails: emails.size, addresses: addresses.size };
}

/** Returns the positions in the inputs for which `look` returns something. */
function placesOf(calls: readonly RecordedCall[], look: (text: string) => string[]): string[] {
  const found = new Set<string>();
  for (const { stored, event, body, outbound } of calls)
    visitTexts({ stored, event, body, outbound }, [], 'data', (value, path) => {
      if (path.includes('headers')) return;
      for (const kind of look(value)) found.add(path.join('.') + kind);
    });
  return [...found];
}

/** The ids of events and visitors would differ whenever the same calls are recorded again. */
function withStableIds(logged: readonly LoggedCall[], drafts: RecordedCall[]): RecordedCall[] {
  const ids = logged.flatMap(({ event }) => {
    const { eventId, visitor } = (event ?? {}) as { eventId?: string; visitor?: { anonymousId?: string } };
    return [eventId, visitor?.anonymousId].filter((id) => id !== undefined && id.length >= 16);
  });
  let text = JSON.stringify(drafts);
  for (const [at, id = ''] of [...new Set(ids)].entries())
    text = text.replaceAll(id, `${id.slice(0, 4)}example${at + 1}`);
  return JSON.parse(text) as RecordedCall[];
}

const replay = (
  recording: Recording,
  { project, signal }: RecordOptions,
  change?: (call: ReplayCall) => ReplayCall,
): Promise<ReplayResult[]> =>
  replayCalls({
    recording,
    ...project,
    ...(signal && { signal }),
    ...(change && { change: (call) => [change(call)] }),
  });

const draft = (call: ReplayCall): ReplayCall => ({ ...call, draft: true });

/** Uses only secrets that had a value, because a script may behave differently without one. */
function secretsOf(
  declared: readonly string[],
  logged: readonly LoggedCall[],
  made: ReadonlySet<string>,
): Record<string, string> {
  const set = declared.filter((name) =>
    logged.some(({ environment }) => environment?.secrets[name] !== undefined),
  );
  const isSvix = logged.some(({ event }) => {
    const { headers = {} } = (event && 'request' in event && event.request) || {};
    return 'svix-signature' in headers || 'webhook-signature' in headers;
  });
  // Svix and Standard Webhooks have keys with a prefix, which their libraries require.
  const prefix = (name: string): string => (isSvix && /webhook|svix|sign/i.test(name) ? 'whsec_' : '');
  const value = (name: string): string => madeUpValue(name, undefined, (other) => made.has(other));
  return Object.fromEntries(set.map((name) => [name, prefix(name) + value(name)]));
}

/**
 * Finds the secrets used to sign requests, by trying which of the made-up secrets the script accepts. Tries one part of
 * every call at a time, because each replay starts a process.
 */
async function signAgain(
  inputs: Recording,
  made: ReadonlySet<string>,
  logged: readonly LoggedCall[],
  options: RecordOptions,
  report: Recorded['report'],
): Promise<Recording> {
  const candidates = inputs.calls.map((call): Candidate[] => [
    ...Object.entries(inputs.secrets).map(([name, value]) => ({ name, value })),
    ...signingCandidates(call.stored),
    ...textsIn(call.stored, made),
  ]);
  const found = await Promise.all(inputs.calls.map((call, at) => findSigned(call, candidates[at] ?? [])));
  // Most recordings contain nothing signed, so no replay is needed to find out what the script accepts.
  const baseline = found.some(({ length }) => length > 0) ? await replay(inputs, options, draft) : [];
  const signings = inputs.calls.map((call, at) => ({
    call,
    logged: logged[at],
    score: scoreOf(baseline[at], logged[at]),
    kept: [] as string[],
    candidates: candidates[at] ?? [],
  }));
  for (let round = 0; ; round += 1) {
    const parts = [];
    for (const signing of signings) {
      if (signing.score === BEST) continue;
      const part = (await findSigned(signing.call, signing.candidates))[round];
      if (part) parts.push({ signing, ...part });
    }
    if (parts.length === 0) break;
    const calls = parts.flatMap(({ variants }) => variants.map(({ call }) => call));
    const tried = await replay({ ...inputs, calls }, options, draft);
    for (const { signing, header, what, variants } of parts) {
      const results = tried.splice(0, variants.length);
      const scores = results.map((result) => scoreOf(result, signing.logged));
      const top = Math.max(...scores);
      const chosen = variants[scores.indexOf(top)];
      const { name } = signing.call;
      if (!chosen || top <= signing.score) {
        report.unsigned.push({ call: name, what });
        continue;
      }
      [signing.call, signing.score] = [chosen.call, top];
      if (header !== undefined) signing.kept.push(header);
      report.signed.push({ call: name, what, secret: chosen.secret });
    }
  }
  return { ...inputs, calls: signings.map(({ call, kept }) => withoutSignatures(call, kept)) };
}

const BEST = 3;

/** Returns how similar a run is to the logged call. */
const scoreOf = (result: ReplayResult | undefined, logged: LoggedCall | undefined): number =>
  (result?.outcome.response?.status === logged?.response?.status ? 2 : 0) +
  (result?.outcome.outbound.length === logged?.outbound.length ? 1 : 0);

/** Returns the stored values that are made up. Those for masked secrets begin with `example`. */
function textsIn(value: unknown, made: ReadonlySet<string>, name = ''): Candidate[] {
  if (typeof value === 'string')
    return made.has(value) || value.startsWith('example') ? [{ name, value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, made, key));
}
