import type { PlatformBase } from '../state/platform-base.js';
import { readBody } from '../../base/text/read-body.js';
import { sameResponse } from '../../base/text/compare-responses.js';
import type { AnswerResource, ReplayResource } from '../../contract/routes/events.js';
import type { Environment } from '../../protocol/environment.js';
import { hiddenSecret } from '../../protocol/mask-secrets.js';
import type { CallRecord } from '../../store/calls/call-log.js';
import type { Environments, InstallTarget } from '../state/script-environments.js';
import { HttpError, unknownCall } from '../http/http-error.js';
import { defaultReadMs, readResponse } from '../http/limit-body.js';
import { newId } from '../state/new-id.js';
import type { ScriptCalls } from './script-calls.js';

/** `signal` is aborted when the client disconnects. */
export type Replay = (id: string, signal?: AbortSignal) => Promise<ReplayResource>;

/** Limited, because both responses are held in memory while they are compared. */
const largestCompared = 16 * 1024 * 1024;

/** Runs a recorded call again with the current code. */
export function createReplay(
  deps: Pick<PlatformBase, 'callLog' | 'secrets' | 'timers' | 'limits'> & {
    environments: Environments;
    calls: ScriptCalls;
  },
): Replay {
  const { callLog, environments, calls, secrets, timers } = deps;
  const read = { bytes: largestCompared, ms: deps.limits.timeMs ?? defaultReadMs, timers };
  return async (id, signal) => {
    callLog.flush();
    const entry = callLog.get(id);
    if (!entry) throw unknownCall(id);
    const { event, response, source, request } = entry;
    if (!event || !response) {
      throw new HttpError(409, 'not-replayable', 'This call has no event, or no response to compare with.');
    }
    const environment = environments.of(targetOf(entry.environment));
    if (!environment)
      throw new HttpError(
        409,
        'not-installed',
        'The integration is no longer installed where this call ran.',
      );
    if (environment.installation?.status === 'paused') {
      const message = `Installation ${environment.installation.id} is paused.`;
      throw new HttpError(409, 'paused', message, { hint: 'Resume it first: platform resume' });
    }
    const body = callLog.body(id, 'request');
    if (entry.requestBytes > 0 && !body) {
      throw new HttpError(409, 'body-gone', 'The body of this request is no longer stored.');
    }
    const call = newId('call');
    const answer = await calls.call({
      id: call,
      source,
      event: event.type === 'fetch' ? { ...event, request: sendable(event.request) } : event,
      environment,
      ...(body && { body }),
      ...(request && { request }),
      cause: { type: 'replay', call: id },
    });
    const { bytes, stopped } = await readResponse(answer, { ...read, signal });
    if (stopped !== undefined) {
      const message = `${stopped} Only complete responses can be compared.`;
      const hint = `To see the part that was recorded, run: platform inspect ${call}`;
      throw new HttpError(502, 'cut-short', message, { call, hint });
    }
    const after: AnswerResource = {
      version: environment.integration.version,
      status: answer.status,
      headers: [...answer.headers].map(([name, value]) => [name, secrets.mask(value)]),
      body: readBody(secrets.maskBytes(bytes)),
    };
    const before: AnswerResource = {
      version: entry.version,
      status: response.status,
      headers: response.headers,
      body: readBody(callLog.body(id, 'response') ?? new Uint8Array()),
    };
    return { call, before, after, same: sameResponse(before, after), masked: wasMasked(entry, body) };
  };
}

/** Headers are bytes, so the text that replaces a secret is encoded as bytes too. */
function sendable<Sent extends { headers: Record<string, string> }>(request: Sent): Sent {
  const bytes = Buffer.from(hiddenSecret).toString('latin1');
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    value.replaceAll(hiddenSecret, bytes),
  ]);
  return { ...request, headers: Object.fromEntries(headers) as Record<string, string> };
}

export function targetOf(environment: Environment | undefined): InstallTarget {
  const { installation, siteInstallation, spaceInstallation } = environment ?? {};
  return {
    ...(installation && { installation: installation.id }),
    ...(siteInstallation && { site: siteInstallation.site }),
    ...(spaceInstallation && { space: spaceInstallation.space }),
  };
}

function wasMasked(call: CallRecord, body: Uint8Array | undefined): boolean {
  return (
    JSON.stringify(call.event).includes(hiddenSecret) || (!!body && Buffer.from(body).includes(hiddenSecret))
  );
}
