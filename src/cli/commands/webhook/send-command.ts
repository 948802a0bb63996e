import { isFinal } from '../../../protocol/delivery-states.js';
import { noteUnusualRating } from '../../../protocol/page-ratings.js';
import { UserError } from '../../../base/user-error.js';
import { isWebhookError } from '../../../webhooks/model/webhook-error.js';
import type { WebhookEvent } from '../../../protocol/events.js';
import type { Attempt, Delivery } from '../../../webhooks/model/delivery.js';
import type { WebhookDispatcher } from '../../../webhooks/dispatcher.js';
import { defineCommand, fine, type CommandContext } from '../../context/command.js';
import { readFields } from '../../session/read-arguments.js';
import { platformVersion } from '../../context/version.js';
import { webhookTarget, webhookTypes } from '../../../protocol/webhook-events.js';
import { checkAddress, readType } from './basics/webhook-types.js';
import { needOptions } from './basics/require-options.js';
import { responseLines } from './basics/response-lines.js';
import type { Style } from '../../../terminal/style.js';

interface SendOptions {
  to?: string;
  secret?: string;
  set?: string[];
  fast?: boolean;
}

export const send = defineCommand<SendOptions>({
  name: 'send',
  summary: 'send a signed event with retries',
  arguments: { '<type>': `event type: one of ${webhookTypes.join(', ')}` },
  options: {
    '--to <url>': 'URL to send the event to',
    '--secret <secret>': 'signing secret',
    '--set <path=value>': { description: 'set a field of the event', repeat: true },
    '--fast': 'retry without delays',
  },
  examples: {
    'platform webhook send site_view --to http://127.0.0.1:4200/ --secret whsec_1':
      'send an event with sample values',
    'platform webhook send page_feedback --to http://127.0.0.1:4200/ --secret whsec_1 --set feedback.rating=bad --fast':
      'send your own value, and retry immediately',
  },
  async run(context, [word = ''], options) {
    const usage = 'platform webhook send <type> --to <url> --secret <secret>';
    const { to, secret } = needOptions(options, { to: '--to', secret: '--secret' }, usage);
    checkAddress(to);
    const type = readType(word);
    const event = await compose(type, await readFields(type, options.set ?? []));
    const note = noteUnusualRating(event);
    if (note !== undefined) context.note(note);
    const { delivery, attempts } = await deliver(context, event, {
      url: to,
      secret,
      fast: options.fast === true,
    });
    if (context.json) {
      const { attemptView } = await import('../../../webhooks/views.js');
      context.emit({ event, delivery, attempts: attempts.map(attemptView) });
    } else
      context.print(
        `${delivery.state === 'delivered' ? context.style.green('delivered') : context.style.red(delivery.state)}  ${event.type} ${event.eventId}`,
      );
    return delivery.state === 'delivered' ? fine : { kind: 'findings' };
  },
});

async function compose(type: WebhookEvent['type'], set: Record<string, unknown>): Promise<WebhookEvent> {
  const { sampleEvent } = await import('../../../protocol/sample-events.js');
  const { webhookPayload } = await import('../../../webhooks/send/webhook-payload.js');
  const { setPath } = await import('../../../base/set-path.js');
  const { findEventProblems } = await import('../../../emulator/events/event-fields.js');
  const event = webhookPayload(sampleEvent(type));
  for (const [path, value] of Object.entries(set)) {
    const problem = setPath(event, path, value);
    if (problem) throw new UserError('bad-path', problem.message, problem.help);
  }
  const [problem] = findEventProblems(event);
  if (!problem) return event;
  const { message, meant } = problem;
  const hint =
    meant === undefined ? 'List the fields with: platform schema webhook-payloads' : `Did you mean ${meant}?`;
  throw new UserError('bad-event', message, hint);
}

async function deliver(
  { io, json, print, style }: CommandContext,
  event: WebhookEvent,
  { url, secret, fast }: { url: string; secret: string; fast: boolean },
) {
  const { createMemoryDeliveryStore, createWebhookDispatcher } = await import('../../../webhooks/index.js');
  const { webhookFetch } = await import('../../../emulator/webhook-fetch.js');
  const { clock } = io;
  const signal = io.takeInterrupts();
  const dispatcher = await createWebhookDispatcher({
    store: createMemoryDeliveryStore({ clock }),
    clock,
    random: Math.random,
    // Lets Ctrl-C end the command without waiting for the response.
    fetch: (to, init) => webhookFetch(to, { ...init, signal: AbortSignal.any([init.signal, signal]) }),
    version: platformVersion,
  });
  try {
    const endpoint = await dispatcher.endpoints
      .add({
        installationId: event.installationId,
        target: webhookTarget(event),
        url,
        events: [event.type],
        secret,
      })
      .catch((error: unknown) => {
        throw isWebhookError(error) ? new UserError(error.code, error.message) : error;
      });
    const attempts: Attempt[] = [];
    dispatcher.subscribe((change) => {
      if (change.type !== 'attempt') return;
      attempts.push(change.attempt);
      if (!json && !signal.aborted) print(renderAttempt(change, { now: clock.now(), fast }, style));
      if (fast && change.delivery.state === 'retrying')
        void dispatcher.deliveries.skipWait(change.delivery.id);
    });
    const { id } = await dispatcher.enqueueTo(endpoint.id, event);
    await ended(dispatcher, id, signal);
    const found = await dispatcher.deliveries.get(id);
    if (!found) throw new Error(`The delivery ${id} no longer exists.`);
    return { delivery: found.delivery, attempts };
  } finally {
    await dispatcher.close();
  }
}

function ended(dispatcher: WebhookDispatcher, id: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    const stop = dispatcher.subscribe((change) => {
      if (!('delivery' in change) || change.delivery.id !== id) return;
      if (!isFinal(change.delivery.state)) return;
      stop();
      resolve();
    });
  });
}

/** Renders `attempt 1 500 12 ms retrying in 1.0 s`. */
function renderAttempt(
  { attempt, delivery }: { attempt: Attempt; delivery: Delivery },
  { now, fast }: { now: number; fast: boolean },
  style: Style,
): string {
  const { number, durationMs, result } = attempt;
  const outcome =
    result.kind === 'answer'
      ? String(result.status)
      : result.kind === 'error'
        ? `${result.error}: ${result.message}`
        : 'interrupted';
  const { dueAt } = delivery;
  const wait = `${(Math.max(0, (dueAt ?? now) - now) / 1000).toFixed(1)} s`;
  const again =
    dueAt === undefined ? '' : fast ? `  retrying now instead of in ${wait}` : `  retrying in ${wait}`;
  const paint = delivery.state === 'delivered' ? style.green : style.yellow;
  return [
    `  attempt ${number}  ${paint(outcome)}  ${style.dim(`${Math.round(durationMs)} ms${again}`)}`,
    ...(result.kind === 'answer' ? responseLines(result.body).map((line) => `    ${style.dim(line)}`) : []),
  ].join('\n');
}
