import type { PlatformBase } from '../state/platform-base.js';
import type { Clock } from '../../base/clock.js';
import type { Headers } from '../../contract/basics/resources.js';
import type { SignatureReport } from '../../contract/routes/calls.js';
import { hiddenSecret } from '../../protocol/mask-secrets.js';
import type { CallLog, CallRecord } from '../../store/calls/call-log.js';
import type { Environments } from '../state/script-environments.js';
import type { CallRecorder } from './call-recorder.js';
import { targetOf } from './replay.js';
import {
  findSigning,
  signLike,
  isSignature,
  rawBody,
  stampOf,
  type Candidate,
  type SignedRequest,
  type Signing,
} from './request-signature.js';
import type { Webhooks } from '../webhooks/webhooks.js';

/** Explains the signatures of recorded requests, with the secrets that the platform knows. */
export type Signatures = ReturnType<typeof createSignatures>;

const ofEndpoint = 'the secret of webhook endpoint ';

/** Larger bodies are not hashed, because every secret is tried with every way of signing. */
const largest = 64 * 1024;
/** The maximum age that most receivers accept. */
const usualAge = 300;

export function createSignatures(
  deps: Pick<PlatformBase, 'callLog' | 'registry'> & {
    environments: Pick<Environments, 'of'>;
    webhooks: Webhooks;
    clock: Pick<Clock, 'now'>;
  },
) {
  const { callLog, registry, environments, webhooks, clock } = deps;

  const candidatesOf = async (call: CallRecord): Promise<Candidate[]> => {
    const environment = environments.of(targetOf(call.environment));
    const { installation, siteInstallation, spaceInstallation } = environment ?? {};
    const endpoints = await webhooks.use((dispatcher) => dispatcher.endpoints.list()).catch(() => []);
    return [
      ...named(registry.integration().secrets, (name) => name),
      ...[installation, siteInstallation, spaceInstallation].flatMap((part) =>
        named(part?.configuration, (name) => `the configuration property ${name}`),
      ),
      ...named(environment?.signingSecrets, (name) => `environment.signingSecrets.${name}`),
      ...endpoints.map(({ id, secret }) => ({ name: `${ofEndpoint}${id}`, value: secret })),
    ];
  };

  const find = async (
    call: CallRecord,
  ): Promise<{ request: SignedRequest; signing: Signing | undefined } | undefined> => {
    const request = signedRequestOf(call, callLog);
    return request && { request, signing: findSigning(request, await candidatesOf(call)) };
  };

  /** Returns undefined if the call is not a request with a signature. */
  const explain = async (call: CallRecord): Promise<SignatureReport | undefined> => {
    const found = await find(call);
    if (!found) return undefined;
    const { request, signing } = found;
    const { status = 0 } = call.response ?? {};
    const header = signing?.header ?? Object.entries(request.headers).find((one) => isSignature(...one))?.[0];
    if (header === undefined) return undefined;
    const stamp = Number(stampOf(request, header));
    const ageSeconds = Math.round(call.time / 1000 - (stamp > 1e11 ? stamp / 1000 : stamp));
    return {
      header,
      valid: signing?.body === rawBody,
      ...(signing && { secret: signing.candidate.name }),
      ...(!Number.isNaN(ageSeconds) && { ageSeconds }),
      explanation: [
        ...(signing
          ? explainMatch(signing)
          : [explainMismatch(header, await candidatesOf(call), isWhole(call, request))]),
        ...explainAge(ageSeconds),
        ...(signing?.body === rawBody && isRefusal(status) && Math.abs(ageSeconds || 0) <= usualAge
          ? [
              'The script may be using another secret, may expect another form of the header, such as one with a prefix, or may not be verifying the raw body.',
            ]
          : []),
      ].join(' '),
    };
  };

  return {
    explain,
    /**
     * Signs an edited copy of a recorded request in the same way as the original, unless its signature was edited too. Also
     * returns what happened to the signature.
     */
    async renew(
      from: string,
      edited: Omit<SignedRequest, 'headers'> & { headers: Headers },
    ): Promise<{ headers?: Headers; signature?: string }> {
      callLog.flush();
      const call = callLog.get(from);
      const found = call && (await find(call));
      const headers = Object.fromEntries(edited.headers.map(([name, value]) => [name.toLowerCase(), value]));
      const [header = '', value] =
        Object.entries(found?.request.headers ?? {}).find((one) => isSignature(...one)) ?? [];
      if (!found || headers[header] !== value) return {};
      const { request, signing } = found;
      if (signing)
        return {
          headers: Object.entries(signLike({ ...edited, headers }, signing, clock.now())),
          signature: `Signed again with ${signing.candidate.name} in ${signing.header}.`,
        };
      const isSame =
        edited.method === request.method &&
        edited.url === request.url &&
        Buffer.from(edited.body).equals(request.body);
      return isSame
        ? {}
        : {
            signature: `The signature in ${header} no longer matches, because the request was edited. It was not renewed, because it matches none of the known secrets.`,
          };
    },
    /** Adds the explanation to a call whose signature was rejected by the script. */
    async report(call: CallRecord, recorder: Pick<CallRecorder, 'noticed'>) {
      const report = await explain(call);
      if (!report) return;
      const message = `Responded with ${call.response?.status}. ${report.explanation}`;
      recorder.noticed(call.id, { code: 'rejected-signature', severity: 'warning', message });
    },
  };
}

/** Names the values of an object that may be secrets. */
const named = (values: object = {}, describe: (name: string) => string): Candidate[] =>
  Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string' && value !== '' ? [{ name: describe(name), value }] : [],
  );

/** Returns a recorded request that has a signature, or undefined for other calls. */
function signedRequestOf(
  { id, event, request, requestBytes }: CallRecord,
  callLog: CallLog,
): SignedRequest | undefined {
  const { url, method, headers } = event?.type === 'fetch' ? event.request : (request ?? {});
  if (url === undefined || method === undefined || !headers) return undefined;
  const fields = Array.isArray(headers) ? (Object.fromEntries(headers) as Record<string, string>) : headers;
  if (!Object.entries(fields).some((one) => isSignature(...one))) return undefined;
  callLog.flush();
  const body = requestBytes > 0 && requestBytes <= largest ? callLog.body(id, 'request') : undefined;
  return { url, method, headers: fields, body: body ?? new Uint8Array() };
}

const isWhole = ({ requestBytes }: CallRecord, { body }: SignedRequest): boolean =>
  requestBytes === body.length && !Buffer.from(body).includes(hiddenSecret);

/** Whether a script's response may mean that it rejected the signature. */
export const isRefusal = (status: number): boolean => status === 401 || status === 403;

const explainMatch = ({ header, candidate: { name }, key, layout, body }: Signing): string[] => [
  `The signature in ${header} matches: it is the HMAC of ${layout} with ${name}${key}.`,
  ...(body === rawBody ? [] : [`Here, {body} is ${body}. The raw body does not match.`]),
  ...(name.startsWith(ofEndpoint) ? ["None of the project's secrets has this value. Set it in .env."] : []),
];

function explainMismatch(header: string, candidates: readonly Candidate[], isWhole: boolean): string {
  if (!isWhole)
    return `The signature in ${header} can't be checked, because the body isn't recorded in full: it contains a masked secret, is larger than 64 KiB or has been deleted.`;
  const names = candidates.map(({ name }) => name).join(', ');
  return `The signature in ${header} doesn't match any known secret (${names}). The secret is different, or the request was changed.`;
}

function explainAge(seconds: number): string[] {
  if (Number.isNaN(seconds)) return [];
  if (seconds < -usualAge) return [`Its timestamp is ${-seconds} s in the future.`];
  return [
    seconds > usualAge
      ? `It was ${seconds} s old when the request arrived. Most receivers accept at most ${usualAge} s.`
      : `It was ${Math.max(0, seconds)} s old when the request arrived.`,
  ];
}
