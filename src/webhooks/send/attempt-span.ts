import type { Delivery, SentRequest } from '../model/delivery.js';
import { isDelivered } from './retry-schedule.js';
import type { KnownResult } from './send-request.js';

interface Context {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): Context;
}

interface Span {
  spanContext(): { traceId: string; spanId: string; traceFlags: number };
  setAttributes(attributes: Record<string, string | number>): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(): void;
}

/** The parts of the global OpenTelemetry API that are used here. Each is registered separately. */
interface OpenTelemetry {
  trace: { getTracer(name: string): { startSpan(name: string, options: object, context: Context): Span } };
  context: { active(): Context; with<T>(context: Context, run: () => T): T };
}

/** Versions 1.x of `@opentelemetry/api` share these symbols, so this package needs no dependency on it. */
const apiKey = Symbol.for('opentelemetry.js.api.1');
const spanKey = Symbol.for('OpenTelemetry Context Key SPAN');
const clientKind = 2;
const errorStatus = 2;

function openTelemetry(): OpenTelemetry | undefined {
  const { trace, context } =
    (globalThis as { [apiKey]?: Partial<OpenTelemetry> } & typeof globalThis)[apiKey] ?? {};
  return trace && context && { trace, context };
}

const pattern = /^00-(?!0+-)([0-9a-f]{32})-(?!0+-)([0-9a-f]{16})-([0-9a-f]{2})$/;

function traceparentOf(span: Span): string | undefined {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  return pattern.test(traceparent) ? traceparent : undefined;
}

/** Returns the active span as a `traceparent` header, or undefined if nothing is traced. */
export function activeTraceparent(): string | undefined {
  const span = openTelemetry()?.context.active().getValue(spanKey) as Span | undefined;
  return span && traceparentOf(span);
}

/** Returns the span that queued the event, in the form in which the SDK reads a parent. */
function parentOf({ traceparent = '' }: Delivery): Pick<Span, 'spanContext'> | undefined {
  const [, traceId, spanId, flags] = pattern.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags ?? '', 16), isRemote: true };
  return { spanContext: () => spanContext };
}

/** Without the path and query, which may contain secrets. */
function serverOf(url: string): Record<string, string | number> {
  if (!URL.canParse(url)) return {};
  const { protocol, hostname, port } = new URL(url);
  return {
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'http:' ? 80 : 443),
  };
}

export interface AttemptSpan {
  /** The headers that let the receiver continue the trace. */
  headers: Record<string, string>;
  /** Runs a function while the span is active. */
  run<T>(send: () => T): T;
  end(result: KnownResult): void;
}

const untraced: AttemptSpan = { headers: {}, run: (send) => send(), end: () => undefined };

/** Starts the span of an attempt. Without a request, its preparation failed. An error in the SDK doesn't fail the delivery. */
export function startAttemptSpan(delivery: Delivery, request?: SentRequest): AttemptSpan {
  const api = openTelemetry();
  if (!api) return untraced;
  try {
    const parent = api.context.active().setValue(spanKey, parentOf(delivery));
    const attributes = {
      'webhook.delivery.id': delivery.id,
      'webhook.endpoint.id': delivery.endpointId,
      'webhook.event.id': delivery.eventId,
      'webhook.event.type': delivery.eventType,
      'webhook.attempt': delivery.requests + 1,
      ...(request && { 'http.request.method': 'POST', ...serverOf(request.url) }),
    };
    const span = api.trace
      .getTracer('integration-platform')
      .startSpan(`deliver ${delivery.eventType}`, { kind: clientKind, attributes }, parent);
    const traceparent = traceparentOf(span);
    const context = parent.setValue(spanKey, span);
    return {
      headers: traceparent === undefined ? {} : { traceparent },
      run: (send) => api.context.with(context, send),
      end(result) {
        try {
          endSpan(span, result);
        } catch {
          // The outcome must still be recorded.
        }
      },
    };
  } catch {
    return untraced;
  }
}

function endSpan(span: Span, result: KnownResult): void {
  if (result.kind === 'answer') span.setAttributes({ 'http.response.status_code': result.status });
  if (!isDelivered(result)) {
    span.setAttributes({ 'error.type': result.kind === 'answer' ? String(result.status) : result.error });
    span.setStatus({ code: errorStatus, ...(result.kind === 'error' && { message: result.message }) });
  }
  span.end();
}
