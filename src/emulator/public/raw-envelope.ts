import { errorResponse } from '../http/http-error.js';
import { newId } from '../state/new-id.js';
import { largestEnvelope } from '../../protocol/envelope/envelope-limits.js';
import { limitBody } from '../http/limit-body.js';
import type { ScriptCalls } from '../calls/script-calls.js';

/** `ANY /v<digits>`: a hand-made envelope, whatever it holds, is the script's to judge. */
export async function answerRawEnvelope(calls: ScriptCalls, request: Request): Promise<Response> {
  const body = await limitBody(request, largestEnvelope);
  if (body.tooLarge()) return errorResponse(413, 'The envelope is larger than 103 MiB.');
  const { method, url, headers } = request;
  const response = await calls.raw(newId('call'), { method, url, headers }, body.content);
  return body.tooLarge() ? errorResponse(413, 'The envelope is larger than 103 MiB.') : response;
}
