import { readBody } from '../base/text/read-body.js';
import { withMessage } from '../base/text/response-message.js';
import type { EndpointHealth } from './endpoint-health.js';
import type { Attempt, AttemptResult, Delivery } from './model/delivery.js';
import type { Endpoint } from './model/endpoint.js';

export function endpointView(endpoint: Endpoint) {
  const { secret: _, previousSecret, ...rest } = endpoint;
  return { ...rest, ...(previousSecret && { rotatesUntil: previousSecret.until }) };
}

export const attemptView = ({ request, result, ...attempt }: Attempt) => ({
  ...attempt,
  ...(request && { request: { url: request.url, headers: Object.entries(request.headers) } }),
  result: result.kind === 'answer' ? { ...result, body: readBody(result.body) } : result,
});

/** The result of a request, with only the error description from the response body. */
const outcomeView = (result: AttemptResult) =>
  result.kind === 'answer' ? withMessage(result.status, () => new TextDecoder().decode(result.body)) : result;

export const listedDelivery = (delivery: Delivery, last: Attempt | undefined) => ({
  ...delivery,
  ...(last && { lastResult: outcomeView(last.result), lastDurationMs: last.durationMs }),
});

export function healthView({ lastFailure, ...health }: EndpointHealth) {
  if (!lastFailure) return health;
  const { delivery, attempt } = lastFailure;
  const { startedAt, result } = attempt;
  return { ...health, lastFailure: { delivery, startedAt, result: outcomeView(result) } };
}
