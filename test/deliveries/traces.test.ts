import { context, propagation, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  NoopSpanProcessor,
  SimpleSpanProcessor,
  type ReadableSpan,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { Client } from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { enqueueEvent } from '../../src/deliveries/index.js';
import { eventTo } from '../store/owned-store.js';
import { endpointOf } from './fleet.js';
import { openPostgres } from './postgres-under-test.js';
import { startWorker } from './worker-under-test.js';

function registerSdk(processor: SpanProcessor): void {
  new NodeTracerProvider({ spanProcessors: [processor] }).register();
  onTestFinished(() => [trace, context, propagation].forEach((api) => api.disable()));
}

/** Runs a function in an active span. */
const inSpan = <T>(name: string, work: (span: Span) => Promise<T>): Promise<T> =>
  trace.getTracer('test').startActiveSpan(name, (span) => work(span).finally(() => span.end()));

const siteView = (eventId: string) =>
  ({ eventId, type: 'site_view', installationId: 'ins_1', siteId: 'site_1' }) as never;

async function openTraced() {
  const exporter = new InMemorySpanExporter();
  registerSdk(new SimpleSpanProcessor(exporter));
  const opened = await openPostgres();
  await opened.store.putEndpoint(endpointOf('whe_1', 'https://example.com:8443/secret?token=1'));
  const client = new Client(inject('postgres'));
  await client.connect();
  onTestFinished(() => client.end());
  const attempts = (eventId: string): ReadableSpan[] =>
    exporter.getFinishedSpans().filter(({ attributes }) => attributes['webhook.event.id'] === eventId);
  return { ...opened, client, attempts };
}

it('makes each attempt a child of the span that queued the event', async () => {
  const { store, schema, client, attempts } = await openTraced();
  const headers: (string | undefined)[] = [];
  const { dispatcher } = await startWorker(store, {
    retryDelaysMs: [10, 10],
    async fetch(_, init) {
      headers.push(init.headers['traceparent']);
      expect(trace.getActiveSpan()?.spanContext().spanId).toBe(init.headers['traceparent']?.split('-')[2]);
      if (headers.length === 1) throw Object.assign(new Error('no route'), { code: 'ECONNREFUSED' });
      return new Response('', { status: headers.length === 2 ? 503 : 200 });
    },
  });
  const parent = await inSpan('save', async (span) => {
    await enqueueEvent(client, siteView('evt_1'), { schema });
    return span.spanContext();
  });
  await expect.poll(() => attempts('evt_1')).toHaveLength(3);

  const common = {
    'webhook.delivery.id': expect.stringMatching(/^dlv_/),
    'webhook.endpoint.id': 'whe_1',
    'webhook.event.id': 'evt_1',
    'webhook.event.type': 'site_view',
    'http.request.method': 'POST',
    'url.scheme': 'https',
    'server.address': 'example.com',
    'server.port': 8443,
  };
  const failed = { code: SpanStatusCode.ERROR };
  const found = attempts('evt_1').map(({ status, attributes }) => ({ status, attributes }));
  expect(found).toEqual([
    {
      status: { ...failed, message: 'no route' },
      attributes: { ...common, 'webhook.attempt': 1, 'error.type': 'refused' },
    },
    {
      status: failed,
      attributes: { ...common, 'webhook.attempt': 2, 'error.type': '503', 'http.response.status_code': 503 },
    },
    {
      status: { code: SpanStatusCode.UNSET },
      attributes: { ...common, 'webhook.attempt': 3, 'http.response.status_code': 200 },
    },
  ]);
  for (const span of attempts('evt_1')) {
    expect(span).toMatchObject({ name: 'deliver site_view', kind: SpanKind.CLIENT });
    expect(span.spanContext().traceId).toBe(parent.traceId);
    expect(span.parentSpanContext?.spanId).toBe(parent.spanId);
  }
  expect(headers).toEqual(
    attempts('evt_1').map((span) => `00-${parent.traceId}-${span.spanContext().spanId}-01`),
  );

  // Sending it again, alone or with others, stays in the same trace.
  const [delivery] = await store.list();
  await expect.poll(async () => (await store.list({ state: 'delivered' })).length).toBe(1);
  await inSpan('resend', () => dispatcher.deliveries.resend(delivery?.id ?? ''));
  await expect.poll(async () => (await store.list({ state: 'delivered' })).length).toBe(2);
  expect(await store.resendAll({ state: 'delivered' })).toEqual({ resent: 1, skipped: 0 });
  await expect.poll(() => attempts('evt_1')).toHaveLength(5);
  for (const span of attempts('evt_1')) expect(span.parentSpanContext?.spanId).toBe(parent.spanId);
});

it('keeps the spans of events apart that are inserted together', async () => {
  const { store, client, attempts } = await openTraced();
  const insertIn = (eventId: string): Promise<string> =>
    inSpan(eventId, async (span) => {
      await store.insert([eventTo('whe_1', eventId)]);
      return span.spanContext().spanId;
    });
  // The first insert is under way while the others wait for the next batch.
  const [first, second, third] = await Promise.all([
    insertIn('evt_1'),
    insertIn('evt_2'),
    insertIn('evt_3'),
    store.insert([eventTo('whe_1', 'evt_4')]),
  ]);
  const own = await inSpan('enqueue', async (span) => {
    await store.enqueue(client, [eventTo('whe_1', 'evt_5')]);
    return span.spanContext().spanId;
  });
  // A root, although a span is active where the worker starts.
  await inSpan('start', () => startWorker(store));
  const ids = [1, 2, 3, 4, 5].map((n) => `evt_${n}`);
  const parents = (): unknown[] =>
    ids.map((id) => attempts(id).map(({ parentSpanContext }) => parentSpanContext?.spanId));
  await expect.poll(parents).toEqual([[first], [second], [third], [undefined], [own]]);
});

it.each(['onStart', 'onEnd'] as const)('sends although %s of the SDK throws', async (method) => {
  const processor = new NoopSpanProcessor();
  processor[method] = () => {
    throw new Error('broken');
  };
  registerSdk(processor);
  const { store } = await openPostgres();
  await store.putEndpoint(endpointOf('whe_1', 'http://127.0.0.1:1/'));
  const { changes } = await startWorker(store);
  await store.insert([eventTo('whe_1', 'evt_1')]);
  await expect.poll(async () => (await store.list()).map(({ state }) => state)).toEqual(['delivered']);
  expect(changes.map(({ type }) => type)).toEqual(['attempt']);
});
