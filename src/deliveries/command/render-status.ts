import type { PostgresStatus } from '../index.js';
import type { Style } from '../../terminal/style.js';

const laneCount = 256;

export function renderStatus(status: PostgresStatus, style: Style, now: number): string {
  const { workers, freeLanes, backlog, failing, oldestTransactionMs } = status;
  const { pending, retrying, held, oldestAt } = backlog;
  const waiting = pending + retrying;
  const column = Math.max(0, ...workers.map(({ name }) => name.length));
  return [
    workers.length === 0
      ? style.yellow('No worker is running. Start one with: platform-webhooks worker')
      : style.bold(`${workers.length} ${workers.length === 1 ? 'worker' : 'workers'}`),
    ...workers.map(
      ({ name, lanes, since }) =>
        `  ${name.padEnd(column)}  ${String(lanes).padStart(3)} lanes${since === undefined ? '' : `  ${style.dim(`for ${duration(now - since)}`)}`}`,
    ),
    ...(workers.length > 0 && freeLanes > 0
      ? [style.yellow(`  ${freeLanes} of ${laneCount} lanes have no worker at the moment.`)]
      : []),
    '',
    waiting === 0
      ? 'Nothing is waiting.'
      : `${pending} new and ${retrying} retried deliveries are waiting, the oldest for ${duration(now - (oldestAt ?? now))}.`,
    ...(held > 0 ? [`${held} deliveries are held, because their endpoints are disabled or paused.`] : []),
    ...(failing.length > 0 ? ['', style.bold('Failing endpoints')] : []),
    ...failing.map(
      ({ endpointId, url, retrying, failed, last }) =>
        `  ${endpointId}  ${style.cyan(url ?? 'removed')}  ${retrying} retrying, ${style.red(`${failed} failed`)}${last === undefined ? '' : style.dim(`, last: ${last}`)}`,
    ),
    ...(oldestTransactionMs === undefined
      ? [
          '',
          style.dim(
            "Oldest transaction: unknown, because this database user isn't a member of pg_read_all_stats.",
          ),
        ]
      : []),
    ...((oldestTransactionMs ?? 0) > 60_000
      ? [
          '',
          style.yellow(
            `A transaction has been open for ${duration(oldestTransactionMs ?? 0)}. Until it ends, deleted rows cannot be cleaned up, which slows down the workers.`,
          ),
        ]
      : []),
  ].join('\n');
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
