import type { PlatformBase } from '../state/platform-base.js';
import type { Timers } from '../../base/clock.js';
import { withTimeout } from '../../base/deadlines.js';
import type { Handlers } from '../../contract/console-api.js';
import { requestProblems } from '../../protocol/compose/request-problems.js';
import type { requestRoutes as contract } from '../../contract/routes/requests.js';
import type { CallRecorder } from './call-recorder.js';
import type { Signatures } from './signatures.js';
import type { Failures } from './call-failure.js';
import { HttpError, invalid } from '../http/http-error.js';
import { drainResponse } from '../http/limit-body.js';
import type { PublicSurfaces } from '../http/public-app.js';
import { newId } from '../state/new-id.js';
import { requireInstalled } from '../state/require-installation.js';

/** Sends requests composed in the console or the terminal. The platform handles them like any other request. */
export function requestRoutes(
  deps: Pick<PlatformBase, 'registry' | 'addresses' | 'callLog' | 'timers'> & {
    failures: Failures;
    recorder: Pick<CallRecorder, 'current'>;
    signatures: Signatures;
    publicEndpoint: PublicSurfaces['publicEndpoint'];
  },
): Handlers<keyof typeof contract> {
  const { registry, addresses, callLog, failures, recorder, signatures, timers, publicEndpoint } = deps;

  return {
    async 'POST /requests'(input) {
      const { method, headers: given = [], body, from } = input;
      const path = input.path.replace(/^[/]?/, '/');
      const problems = requestProblems({ ...input, path });
      const [first] = problems;
      if (first) throw invalid(first.message, { path: first.path, problems });

      const call = newId('call');
      const bytes = body && Buffer.from(body.content, body.encoding === 'base64' ? 'base64' : 'utf8');
      const { target } = requireInstalled(registry, input);
      const url = addresses.target(registry.integration().name, target) + path;
      const { headers = given, signature } =
        from === undefined
          ? {}
          : await signatures.renew(from, { url, method, headers: given, body: bytes ?? new Uint8Array() });
      const request = new Request(url, { method, headers, ...(bytes && { body: bytes }) });
      const response = await publicEndpoint(request, undefined, call);
      const entry = callLog.get(call);
      if (!entry) throw new HttpError(409, 'not-sent', await reasonOf(response));
      await readToEnd(response, timers);
      const { outcome } = recorder.current(callLog.get(call) ?? entry);
      const failure = outcome === 'failed' ? failures.of(call) : undefined;
      return {
        call,
        status: response.status,
        outcome,
        ...(failure && { failure }),
        ...(signature !== undefined && { signature }),
      };
    },
  };
}

const longestWaitMs = 5000;

/** How much of a stream to record, and for how long. */
const mostRecorded = { bytes: 64 * 1024 * 1024, ms: 10 * 60_000 };

/**
 * Reads the body to the end, because only bytes that are read are recorded. If the body is a long stream, reading and
 * recording continue after the result is returned.
 */
const readToEnd = (response: Response, timers: Timers): Promise<unknown> =>
  withTimeout(timers, longestWaitMs, drainResponse(response, { ...mostRecorded, timers }), undefined);

/** Returns why the endpoint rejected a request before it reached the script. */
async function reasonOf(response: Response): Promise<string> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: string };
  return error ?? `The public endpoint responded with status ${response.status}.`;
}
