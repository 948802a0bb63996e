import { localMinute } from '../session/call-words.js';
import { connect } from '../session/connect.js';
import {
  outcomeOfCalls,
  renderVerdict,
  settledVerdict,
  strictOption,
  type Verdict,
} from '../session/settled-calls.js';
import { defineCommand, fine, type CommandContext } from '../context/command.js';
import type { DueItem, QueuedTask } from '../../contract/routes/state.js';
import { wrapText } from '../../terminal/wrap-text.js';

const idOfTask = { '<task>': 'id shown by platform tasks list' };

const list = defineCommand({
  name: 'list',
  summary: 'list queued tasks and everything else that is due, with times and causes',
  examples: {
    'platform tasks list': 'list tasks, webhook retries and expiring tokens, next due first',
    'platform tasks list --json': 'print JSON, including payloads',
  },
  async run(context) {
    const client = await connect(context);
    const tasks = await client.call('GET /tasks');
    const { now, due } = await client.call('GET /clock');
    if (context.json) context.emit({ tasks, due });
    else {
      if (tasks.length === 0)
        context.print('No tasks are queued. A script queues one with context.integration.queueTask(…).');
      for (const item of due) {
        const task = tasks.find(({ id }) => id === item.id);
        context.print(task ? renderTask(task, now, context) : renderDue(item, now, context));
      }
    }
    return fine;
  },
});

const run = defineCommand<{ strict?: boolean }>({
  name: 'run',
  summary: 'run a task now instead of at its scheduled time',
  arguments: idOfTask,
  options: { ...strictOption },
  examples: {
    'platform tasks run task_01k': 'run the task and show any problems',
    'platform tasks run task_01k --json': 'print the result as JSON',
  },
  async run(context, [task = ''], { strict }) {
    const client = await connect(context);
    const { call } = await client.call('POST /tasks/{task}/run', { task });
    const verdict: Verdict = await settledVerdict(client, call, context);
    if (context.json) context.emit({ ran: task, call, ...verdict });
    else
      context.print(
        [`Ran ${task}.  ${context.style.dim(call)}`, ...renderVerdict(verdict, context)].join('\n'),
      );
    return outcomeOfCalls([verdict], strict);
  },
});

const cancel = defineCommand({
  name: 'cancel',
  summary: 'cancel a queued task so that it never runs',
  arguments: idOfTask,
  examples: {
    'platform tasks cancel task_01k': 'remove it from the queue',
    'platform tasks cancel task_01k --json': 'print the result as JSON',
  },
  async run(context, [task = '']) {
    const client = await connect(context);
    await client.call('DELETE /tasks/{task}', { task });
    if (context.json) context.emit({ cancelled: task });
    else context.print(`Cancelled ${task}.`);
    return fine;
  },
});

export const tasks = defineCommand({
  name: 'tasks',
  summary: 'list, run and cancel the tasks that the script has queued',
  examples: {
    'platform tasks list': 'show due times and what queued each task',
    'platform tasks run task_01k': 'run a task immediately',
  },
  subcommands: [list, run, cancel],
});

/** Renders a task as `in 4 min summarize task_01k`, followed by its payload and the call that queued it. */
function renderTask(
  { id, integration, task, target, dueAt, state, queuedBy }: QueuedTask,
  now: number,
  { style, width }: CommandContext,
): string {
  const { type, ...rest } = task;
  const payload: unknown = 'payload' in rest ? rest.payload : undefined;
  const where = target.site ?? target.space ?? target.installation;
  const facts = [
    `due at ${localMinute(dueAt)}`,
    queuedBy === undefined ? undefined : `queued by ${queuedBy}`,
    where === undefined ? undefined : `for ${where}`,
    integration === undefined ? undefined : `of ${integration}`,
  ].filter((fact) => fact !== undefined);
  const when = state === 'waiting' ? dueIn(dueAt - now) : state;
  const paint = state === 'paused' ? style.yellow : style.cyan;
  return [
    `${paint(when.padEnd(9))}  ${style.bold(type)}  ${style.dim(id)}`,
    ...wrapText(facts.join(', '), width - 11),
    ...(payload === undefined ? [] : wrapText(JSON.stringify(payload), width - 11)),
  ].join(`\n${' '.repeat(11)}`);
}

/** Renders a retry or an expiry as `in 4 min   retry: site_view  dlv_01k`, followed by its time and cause. */
const renderDue = ({ at, what, title, id, why }: DueItem, now: number, { style, width }: CommandContext) =>
  [
    `${style.cyan(dueIn(at - now).padEnd(9))}  ${what}: ${style.bold(title)}  ${style.dim(id)}`,
    ...wrapText([`due at ${localMinute(at)}`, why].filter(Boolean).join(', '), width - 11),
  ].join(`\n${' '.repeat(11)}`);

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

function dueIn(ms: number): string {
  const [unit, size] = units.find(([, one]) => ms >= one) ?? [];
  return unit === undefined ? 'now' : `in ${Math.floor(ms / size)} ${unit}`;
}
