import { describeResult } from '../../base/text/delivery-reason.js';
import { errorMessage } from '../../base/text/error-message.js';
import { failedStates } from '../../protocol/delivery-states.js';
import type { KeptDeliveryChange } from '../../webhooks/keep-delivering.js';
import type { CommandContext } from '../../cli/context/command.js';

/** Prints each change in a worker's state as a line or, with `--json`, as an object. */
export function createWorkerReport({ json, emit, print, note, style, io }: CommandContext) {
  let lostAt: number | undefined;
  let troubled = false;
  let attempts = 0;
  /** Endpoints whose failure has been reported, until they work again. */
  const failing = new Set<string>();

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
        const { id, endpointId, state } = change.delivery;
        if (state === 'delivered') failing.delete(endpointId);
        if (!failedStates.includes(state) || failing.has(endpointId)) return;
        failing.add(endpointId);
        const reason = describeResult(change.attempt.result);
        write(
          { type: 'delivery-failed', delivery: id, endpoint: endpointId, state, reason },
          style.yellow(
            `${id} to ${endpointId} is ${state}: ${reason}. Later failures of this endpoint are not printed until it works again. To send them all again, run: platform-webhooks resend --endpoint ${endpointId} --since 1h`,
          ),
        );
      } else if (change.type === 'trouble' && !troubled) {
        troubled = true;
        const reason = errorMessage(change.error);
        write(
          { type: 'trouble', reason },
          style.yellow(`A database operation failed: ${reason.replace(/\.$/, '')}. Retrying.`),
        );
      } else if (change.type === 'endpoint-disabled') {
        const { id, url } = change.endpoint;
        const failingSince = new Date(change.failingSince).toISOString();
        write(
          { type: 'endpoint-disabled', endpoint: id, url, failingSince },
          style.yellow(
            `Disabled endpoint ${id} (${url}): every delivery has failed since ${failingSince}. To re-enable it, run: platform-webhooks enable ${id}`,
          ),
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
    stopping: () => write({ type: 'stopping' }, 'Stopping. Waiting for in-flight requests.'),
    stopped: () => write({ type: 'stopped', requests: attempts }, `Stopped after ${attempts} requests.`),
  };
}
