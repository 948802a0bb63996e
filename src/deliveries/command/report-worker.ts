import { errorMessage } from '../../base/text/error-message.js';
import type { KeptDeliveryChange } from '../../webhooks/keep-delivering.js';
import type { CommandContext } from '../../cli/context/command.js';
import type { OperatorEvent } from './operator-events.js';

/** Prints each change in a worker's state as a line or, with `--json`, as an object. */
export function createWorkerReport({ json, emit, print, note, style, io }: CommandContext) {
  let lostAt: number | undefined;
  let troubled = false;
  let attempts = 0;

  const write = (event: { type: string; [field: string]: unknown }, text: string): void => {
    if (json) emit(event);
    else note(text);
  };

  return {
    ready(worker: { name: string; database: string; schema: string; metrics?: string }) {
      if (json) return emit({ type: 'ready', ...worker });
      const { name, database, schema, metrics } = worker;
      print(`Worker ${style.bold(name)} is delivering from ${style.cyan(database)}, schema ${schema}.`);
      if (metrics) print(`Metrics: ${style.cyan(`${metrics}/metrics`)}`);
      note(style.dim('Press Ctrl-C to stop. In-flight requests finish first.'));
    },
    /** Reports a database problem only once until it is resolved. */
    note(change: KeptDeliveryChange) {
      if (change.type === 'attempt') {
        attempts += 1;
        troubled = false;
      } else if (change.type === 'trouble' && !troubled) {
        troubled = true;
        const reason = errorMessage(change.error);
        write(
          { type: 'trouble', reason },
          style.yellow(`A database operation failed: ${reason.replace(/\.$/, '')}. Retrying.`),
        );
      } else if (change.type === 'lost') {
        lostAt = io.clock.monotonic();
        const reason = errorMessage(change.error);
        write(
          { type: 'lost', reason },
          style.red(`Lost the connection to the database: ${reason} Trying to reconnect.`),
        );
      } else if (change.type === 'still-lost') {
        const reason = errorMessage(change.error);
        write({ type: 'still-lost', reason }, style.red(`Cannot reconnect: ${reason} Still trying.`));
      } else if (change.type === 'recovered') {
        const seconds = Math.round((io.clock.monotonic() - (lostAt ?? 0)) / 100) / 10;
        write({ type: 'recovered', seconds }, style.green(`Reconnected after ${seconds} s.`));
      }
    },
    operator(event: OperatorEvent) {
      const { endpoint } = event;
      const text =
        event.type === 'endpoint-disabled'
          ? `Disabled endpoint ${endpoint} (${event.url}): every delivery has failed since ${event.failingSince}. New events are held. To send them, run: platform-webhooks enable ${endpoint}`
          : `${event.delivery} to ${endpoint} is ${event.state}: ${event.reason}. Later failures of this endpoint are not printed until it works again. To send them all again, run: platform-webhooks resend --endpoint ${endpoint} --since 1h`;
      write(event, style.yellow(text));
    },
    stopping: () => write({ type: 'stopping' }, 'Stopping. Waiting for in-flight requests.'),
    stopped: () => write({ type: 'stopped', requests: attempts }, `Stopped after ${attempts} requests.`),
  };
}
