import { expect, test } from 'vitest';
import { createOperatorEvents } from '../../../src/deliveries/command/operator-events.js';
import type { KeptDeliveryChange } from '../../../src/webhooks/keep-delivering.js';
import { endpoint } from '../../store/owned-store.js';

const operatorEvent = createOperatorEvents();

test("tells the operator of an endpoint's first failed delivery, and again after one has succeeded", () => {
  const told = (
    [
      ['dlv_1', 'retrying'],
      ['dlv_1', 'exhausted'],
      ['dlv_2', 'failed'],
      ['dlv_3', 'delivered'],
      ['dlv_4', 'failed'],
    ] as const
  ).flatMap(([id, state]) => {
    const delivery = { id, endpointId: 'whe_1', installationId: 'ins', state };
    const attempt = { result: { kind: 'answer', status: 503, body: new Uint8Array() } };
    return operatorEvent({ type: 'attempt', delivery, attempt } as KeptDeliveryChange) ?? [];
  });
  const common = { type: 'delivery-failed', installationId: 'ins', endpoint: 'whe_1' };
  const reason = 'the receiver responded with 503';
  expect(told).toEqual([
    { ...common, eventId: 'evt_dlv_1_failed', delivery: 'dlv_1', state: 'exhausted', reason },
    { ...common, eventId: 'evt_dlv_4_failed', delivery: 'dlv_4', state: 'failed', reason },
  ]);
});

test('tells the operator of an endpoint that was disabled', () => {
  expect(operatorEvent({ type: 'endpoint-disabled', endpoint, failingSince: 0 })).toEqual({
    type: 'endpoint-disabled',
    eventId: 'evt_ep_disabled_1970-01-01T00:00:00.000Z',
    installationId: 'inst',
    endpoint: 'ep',
    url: 'http://127.0.0.1/',
    failingSince: '1970-01-01T00:00:00.000Z',
  });
});
