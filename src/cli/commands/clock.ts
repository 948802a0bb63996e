import { readDuration, unitMs } from '../../base/text/duration.js';
import { errorMessage } from '../../base/text/error-message.js';
import {
  defineCommand,
  fine,
  parseZonedTime,
  type CommandContext,
  type Outcome,
} from '../context/command.js';
import { localMinute, localSecond } from '../session/call-words.js';
import { connect } from '../session/connect.js';
import { UserError } from '../../base/user-error.js';
import { passTime } from '../../contract/call.js';
import type { Happened } from '../../contract/routes/state.js';

type Client = Awaited<ReturnType<typeof connect>>;

const YEAR_MS = 365 * unitMs.d;

const show = defineCommand({
  name: 'show',
  summary: "show the platform's time, and what is due",
  examples: {
    'platform clock show': 'list queued tasks, webhook retries and expiring tokens',
    'platform clock show --json': 'print the result as JSON',
  },
  async run(context) {
    const client = await connect(context);
    const clock = await client.call('GET /clock');
    if (context.json) context.emit(clock);
    else {
      context.print(timeLine(clock));
      if (clock.due.length === 0) context.print('Nothing is due.');
      for (const { at, what, title, id, call, why } of clock.due) {
        const cause = call === undefined ? why : `queued by ${call}`;
        context.print(
          `${localSecond(at)}  ${what.padEnd(8)}  ${context.style.bold(title)}  ${context.style.dim([id, cause].filter(Boolean).join('  '))}`,
        );
      }
    }
    return fine;
  },
});

const advance = defineCommand({
  name: 'advance',
  summary: 'let time pass, with everything that is due by then',
  arguments: { '<duration>': 'such as 90s, 15m, 1h30m, 2d or 1w' },
  examples: {
    'platform clock advance 1h': 'run the tasks and retries of the next hour',
    'platform clock advance 30d --json': 'print what happened as JSON',
  },
  async run(context, [duration = '']) {
    const ms = parseDuration(duration);
    const client = await connect(context);
    const { now } = await client.call('GET /clock');
    if (!(new Date(now + ms).getUTCFullYear() < 9999))
      throw new UserError(
        'invalid-duration',
        `The clock cannot be moved to the year 9999 or later: "${duration}".`,
        'Pass a shorter duration.',
      );
    return move(client, context, now + ms);
  },
});

const set = defineCommand({
  name: 'set',
  summary: 'move the clock to a date and time',
  description:
    'Move the clock to a date and time. If it is in the future, everything that is due by then happens first.',
  arguments: { '<time>': 'such as 2026-12-24T09:00+01:00 or 2026-12-24T08:00Z' },
  examples: {
    'platform clock set 2026-12-24T09:00+01:00': 'run everything that is due until then',
    'platform clock set 2026-12-24T08:00Z --json': 'print what happened as JSON',
  },
  async run(context, [time = '']) {
    const to = zonedTime(time);
    return move(await connect(context), context, to);
  },
});

const run = defineCommand({
  name: 'run',
  summary: 'let time pass until nothing is due, at most a year',
  examples: {
    'platform clock run': 'run all queued tasks and retries, one after another',
    'platform clock run --json': 'print what happened as JSON',
  },
  async run(context) {
    const client = await connect(context);
    const { now } = await client.call('GET /clock');
    return move(client, context, now + YEAR_MS, true);
  },
});

const real = defineCommand({
  name: 'real',
  summary: "follow the machine's time again",
  examples: {
    'platform clock real': 'undo all changes of the clock',
    'platform clock real --json': 'print the result as JSON',
  },
  async run(context) {
    const client = await connect(context);
    await client.call('DELETE /clock');
    const { now, ahead } = await client.call('GET /clock');
    if (context.json) context.emit({ now, ahead });
    else context.print(timeLine({ now, ahead }));
    return fine;
  },
});

export const clock = defineCommand({
  name: 'clock',
  summary: "move the platform's time, for tasks, expiry and retries",
  description:
    "Move the platform's time. Tasks, webhook retries and token expiry happen as if the time had passed, and the script's Date follows. Time limits and the script's timers stay real.",
  examples: {
    'platform clock advance 1d': "run tomorrow's tasks now",
    'platform clock real': "follow the machine's time again",
  },
  subcommands: [show, advance, set, run, real],
});

async function move(
  client: Client,
  context: CommandContext,
  to: number,
  untilIdle = false,
): Promise<Outcome> {
  let count = 0;
  const { happened, ...moved } = await passTime(client.call, to, {
    untilIdle,
    onPassed({ happened, done, now }) {
      count += happened.length;
      if (!context.json) for (const one of happened) context.print(line(one, context));
      if (!done) context.redraw?.(`${localMinute(now)}, ${count} so far`);
    },
  });
  const { now, ahead, stopped } = moved;
  if (context.json) context.emit({ now, ahead, happened, ...(stopped && { stopped }) });
  else context.print(timeLine(moved));
  if (stopped)
    context.note(
      stopped === 'same-instant'
        ? 'Stopped after 100 calls at the same instant, because a task may queue itself again and again.'
        : 'Stopped after 10,000 calls.',
    );
  return stopped || happened.some(({ failed }) => failed) ? { kind: 'findings' } : fine;
}

const line = ({ at, what, title, id, result, failed }: Happened, { style }: CommandContext): string =>
  `${localSecond(at)}  ${what.padEnd(8)}  ${style.bold(title)}  ${failed ? style.red(result) : style.green(result)}  ${style.dim(id)}`;

const timeLine = ({ now, ahead }: { now: number; ahead: number }): string => {
  const distance =
    Math.abs(ahead) < 1000 ? undefined : `${describe(Math.abs(ahead))} ${ahead > 0 ? 'ahead' : 'behind'}`;
  return `It is ${localSecond(now)}${distance === undefined ? '' : `, ${distance}`}.`;
};

/** Formats a duration such as `1 d 2 h`. */
function describe(ms: number): string {
  let left = Math.round(ms / 1000) * 1000;
  const parts = Object.entries(unitMs).flatMap(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count > 0 ? [`${count} ${unit === 'm' ? 'min' : unit}`] : [];
  });
  return parts.slice(0, 2).join(' ');
}

function parseDuration(text: string): number {
  const ms = readDuration(text);
  if (ms === undefined)
    throw new UserError(
      'invalid-duration',
      `Invalid duration: "${text}".`,
      'It must be a number and a unit, such as 90s, 15m, 1h30m, 2d or 1w.',
    );
  return ms;
}

function zonedTime(text: string): number {
  try {
    return parseZonedTime(text);
  } catch (error) {
    throw new UserError('invalid-time', `Invalid time: "${text}".`, errorMessage(error));
  }
}
