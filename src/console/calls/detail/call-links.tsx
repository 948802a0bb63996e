import type { ComponentChildren, JSX } from 'preact';
import type { CallRecord } from '../../../contract/routes/calls.js';
import type { CallCause, CallEffect } from '../../../protocol/log-and-outbound-types.js';
import { GoLink } from '../../shell/navigation.js';
import { formatTime } from '../../text/format.js';

/** The cause of a call, and what the call caused. */
export function CallLinks({ entry }: { entry: CallRecord }): JSX.Element | null {
  const { cause, effects = [] } = entry;
  if (!cause && effects.length === 0) return null;
  return (
    <section>
      <h3 class="section-title">Related</h3>
      <ul class="call-links">
        {cause && (
          <li>
            <Cause cause={cause} />
          </li>
        )}
        {effects.map((effect, index) => (
          <li key={index}>
            <span class="quiet number">{formatTime(effect.time)}</span> <Effect effect={effect} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const causes: Record<CallCause['type'], string> = {
  replay: 'Replay of',
  task: 'Task queued by',
  render: 'Action rendered by',
};

function Cause({ cause: { type, call, task } }: { cause: CallCause }): JSX.Element {
  if (call === undefined) return <>Task {task}, not queued by a recorded call</>;
  return (
    <>
      {causes[type]} <CallLink call={call}>{call}</CallLink>
    </>
  );
}

function Effect({ effect: { type, id = '', call, title, dueAt } }: { effect: CallEffect }): JSX.Element {
  if (type === 'delivery')
    return (
      <GoLink to={{ view: 'webhooks', delivery: id }} class="text-button">
        Webhook delivery {id}
      </GoLink>
    );
  if (type !== 'task') {
    return (
      <>
        {type === 'replay' ? 'Replayed as' : 'Next action:'} {call && <CallLink call={call}>{call}</CallLink>}
      </>
    );
  }
  if (call === undefined)
    return (
      <>
        Task {title}, due at {dueAt === undefined ? 'once' : formatTime(dueAt)}
      </>
    );
  return (
    <>
      Task {title} ran as <CallLink call={call}>{call}</CallLink>
    </>
  );
}

const CallLink = ({ call, children }: { call: string; children: ComponentChildren }): JSX.Element => (
  <GoLink to={{ view: 'calls', call }} class="text-button mono">
    {children}
  </GoLink>
);
