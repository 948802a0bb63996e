import { defineCommand, parseCount, type CommandContext, type Outcome } from '../../context/command.js';
import { connect, type SessionClient } from '../../session/connect.js';
import {
  outcomeOfCalls,
  renderLikelyCause,
  renderVerdict,
  settledCalls,
  strictOption,
  verdictOf,
} from '../../session/settled-calls.js';
import { noteBrokenBuild } from '../../session/note-broken-build.js';
import { targetOf, targetOptions, type TargetOptions } from '../../session/target-options.js';
import { readFields, readJsonFile } from '../../session/read-arguments.js';
import { failedStates, isFinal } from '../../../protocol/delivery-states.js';
import { noteUnusualRating } from '../../../protocol/page-ratings.js';
import { deliveryReason } from '../../../base/text/delivery-reason.js';
import { hidesSecrets, readDraft, requestOf } from './from-call.js';
import type { CallLine } from '../../../contract/routes/calls.js';
import type { FiredEventResource } from '../../../contract/routes/events.js';
import { type RequestDraft, addressOf } from '../../../protocol/compose/call-draft.js';
import type { Input, Output } from '../../../contract/console-api.js';
import { UserError } from '../../../base/user-error.js';
import type { DeliveryResource } from '../../../contract/routes/webhooks.js';
import { renderFailure } from '../../session/render-failure.js';
import { paintOutcome } from '../../session/outcome-color.js';

interface TriggerOptions extends TargetOptions {
  fromCall?: string;
  set?: string[];
  file?: string;
  count?: number;
  wait?: boolean;
  strict?: boolean;
}

export const trigger = defineCommand<TriggerOptions>({
  name: 'trigger',
  summary: 'send an event to the running integration',
  description: 'Send an event to the running integration. Fields that you do not set contain sample values.',
  arguments: {
    '[event]': 'event type, such as space_content_updated (pass an unknown type to list the valid ones)',
  },
  options: {
    '--set <path=value>': {
      description: 'set a field of the event, such as visitor.ip=10.0.0.1',
      repeat: true,
    },
    '--file <file>': 'read fields of the event from a JSON file',
    '--from-call <id>':
      'send a recorded event or request again, with fields changed by --set (for a request: method, path, query.<name>, headers.<name>, body, and body.<field> if the body is JSON)',
    '--count <n>': { description: 'number of times to send the event', parse: parseCount, default: 1 },
    ...targetOptions,
    '--wait': "wait for the event's webhook deliveries to finish",
    ...strictOption,
  },
  examples: {
    'platform trigger space_content_updated': 'send an event with sample values',
    'platform trigger page_feedback --set feedback.rating=bad': 'send an event with one field changed',
    'platform trigger site_view --count 20 --wait': 'send 20 events and wait for their deliveries',
    'platform trigger --from-call call_1k3 --set body.amount=7':
      'send a recorded request again with a different amount',
  },
  async run(context, [type], options) {
    checkUsage(type, options);
    const client = await connect(context);
    const draft =
      options.fromCall === undefined
        ? undefined
        : await readDraft(client, options.fromCall, options.set ?? []);
    if (draft && hidesSecrets(draft))
      context.note('Secrets in the recorded call are masked, and would be sent masked. Set them with --set.');
    await noteBrokenBuild(client, context);
    if (draft?.kind === 'request') return sendRequests(context, client, draft, options);
    const request = draft
      ? { ...draft.target, type: draft.type, event: draft.event, ...targetOf(options) }
      : await newEvent(type ?? '', options, context);
    const answers: FiredEventResource[] = [];
    for (let count = 0; count < (options.count ?? 1); count++) {
      const answer = await client.call('POST /events', request);
      const note = count === 0 ? noteUnusualRating(answer.event) : undefined;
      if (note !== undefined) context.note(note);
      answers.push(answer);
      if (!context.json) context.print(renderFired(answer, context));
    }
    const sent = answers.flatMap(({ fired }) => fired.call ?? []);
    const settled = await settledCalls(client, sent, context);
    if (!context.json) showVerdicts(context, settled);
    const deliveries = options.wait
      ? await awaitDeliveries(
          client,
          answers.flatMap((answer) => answer.deliveries),
          context,
        )
      : [];
    if (context.json) {
      const events = answers.map((answer) => ({
        ...answer,
        ...verdictOf(settled.get(answer.fired.call ?? '')),
      }));
      context.emit({ events, ...(options.wait && { deliveries }) });
    }
    if (deliveries.some(({ state }) => state !== 'delivered')) return { kind: 'findings' };
    return outcomeOfCalls(settled.values(), options.strict);
  },
});

function checkUsage(type: string | undefined, { fromCall, file }: TriggerOptions): void {
  if ((type === undefined) === (fromCall === undefined))
    throw new UserError(
      'usage',
      'Pass an event or a recorded call.',
      'For example: platform trigger space_content_updated, or platform trigger --from-call <id>',
    );
  if (fromCall !== undefined && file !== undefined)
    throw new UserError(
      'usage',
      '--file cannot be combined with --from-call.',
      'Change fields of the recorded call with --set, or pass an event instead of the call.',
    );
}

async function newEvent(
  type: string,
  { set = [], file, ...target }: TriggerOptions,
  { cwd }: CommandContext,
): Promise<Input<'POST /events'>> {
  return {
    type,
    ...targetOf(target),
    ...(file !== undefined && { event: readJsonFile(file, cwd) }),
    set: await readFields(type, set),
  };
}

async function sendRequests(
  context: CommandContext,
  client: SessionClient,
  draft: RequestDraft,
  { count = 1, strict, fromCall, ...target }: TriggerOptions,
): Promise<Outcome> {
  const sent: Output<'POST /requests'>[] = [];
  for (let i = 0; i < count; i++) {
    const result = await client.call('POST /requests', {
      ...requestOf(draft),
      ...targetOf(target),
      ...(fromCall !== undefined && { from: fromCall }),
    });
    if (i === 0 && result.signature !== undefined) context.note(result.signature);
    sent.push(result);
    if (!context.json) context.print(renderSent(draft, result, context));
  }
  const ids = sent.map(({ call }) => call);
  const settled = await settledCalls(client, ids, context);
  if (context.json)
    context.emit({ requests: sent.map((one) => ({ ...one, ...verdictOf(settled.get(one.call)) })) });
  else showVerdicts(context, settled);
  return outcomeOfCalls(settled.values(), strict);
}

/** Prints problems that a call's response does not show, and the likely causes of other failures. */
function showVerdicts(context: CommandContext, settled: ReadonlyMap<string, CallLine>): void {
  for (const line of settled.values()) {
    if (line.severity === 'none') continue;
    if (line.outcome === 'failed') {
      for (const text of renderLikelyCause(line, context.width)) context.print(text);
      continue;
    }
    const { style } = context;
    const head = settled.size > 1 ? [style.dim(line.id)] : [];
    const hint = style.dim(`  next: platform inspect ${line.id}`);
    const isError = line.severity === 'error';
    context.print([...head, ...renderVerdict(line, context), ...(isError ? [hint] : [])].join('\n'));
  }
}

const pause = 100;

/** Polls until each delivery has finished or is held, and reports slow ones. */
async function awaitDeliveries(
  client: SessionClient,
  ids: readonly string[],
  { io, note }: CommandContext,
): Promise<DeliveryResource[]> {
  const signal = io.takeInterrupts();
  const ended: DeliveryResource[] = [];
  for (const id of ids) {
    for (let attempts = 0; ;) {
      const { delivery, attempts: made } = await client.call('GET /deliveries/{delivery}', { delivery: id });
      const why = deliveryReason({ delivery, attempt: made.at(-1) }, io.clock.now());
      if (delivery.state === 'held' || isFinal(delivery.state)) {
        ended.push(delivery);
        const after = delivery.attempts === 1 ? '1 attempt' : `${delivery.attempts} attempts`;
        note(`  ${id} ${delivery.state} after ${after}${why === undefined ? '' : `: ${why}`}`);
        if (failedStates.includes(delivery.state)) note(`  next: platform inspect ${id}`);
        break;
      }
      if (delivery.attempts > attempts) note(`  ${id} ${why ?? 'waiting for another attempt'}`);
      attempts = delivery.attempts;
      await io.clock.sleep(pause, signal);
    }
  }
  return ended;
}

/** Renders `space_view 200 call_…`, followed by the failure if there is one. */
function renderFired(
  { event, fired, deliveries }: FiredEventResource,
  view: Pick<CommandContext, 'style' | 'width' | 'wrapAt'>,
): string {
  const { style } = view;
  const verdict = paintOutcome(fired, style);
  const lines = [`${style.bold(event.type)}  ${verdict}  ${style.dim(fired.call ?? event.eventId)}`];
  if (fired.outcome === 'failed')
    lines.push(...(fired.failure ? renderFailure(fired.failure, view) : [`  ${fired.body.content}`]));
  if (fired.outcome === 'failed' && fired.call)
    lines.push(style.dim(`  next: platform inspect ${fired.call}`));
  if (deliveries.length > 0) lines.push(style.dim(`  webhook ${deliveries.join(', ')}`));
  return lines.join('\n');
}

/** Renders `POST /hook 200 call_…`, followed by the failure if there is one. */
function renderSent(
  draft: RequestDraft,
  { call, outcome, status, failure }: Output<'POST /requests'>,
  view: Pick<CommandContext, 'style' | 'width' | 'wrapAt'>,
): string {
  const { style } = view;
  const verdict = paintOutcome({ outcome, status }, style);
  const lines = [`${style.bold(`${draft.method} ${addressOf(draft)}`)}  ${verdict}  ${style.dim(call)}`];
  if (failure) lines.push(...renderFailure(failure, view), style.dim(`  next: platform inspect ${call}`));
  return lines.join('\n');
}
