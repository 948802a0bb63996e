import type { JSX } from 'preact';
import type { CallRecord } from '../../../contract/routes/calls.js';
import type { CallEffect } from '../../../protocol/log-and-outbound-types.js';
import { GoLink } from '../../shell/navigation.js';
import { CallLink } from './call-link.js';
import { formatTime } from '../../text/format.js';

/** Links to everything that the call caused. */
export function CallLinks({ entry }: { entry: CallRecord }): JSX.Element | null {
  const { effects = [] } = entry;
  if (effects.length === 0) return null;
  return (
    <section>
      <h3 class="section-title">Related</h3>
      <ul class="call-links">
        {effects.map((effect, index) => (
          <li key={index}>
            <span class="quiet number">{formatTime(effect.time)}</span> <Effect effect={effect} />
          </li>
        ))}
      </ul>
    </section>
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
        {type === 'replay' ? 'Replayed as' : 'Next action:'} {call && <CallLink call={call} />}
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
      Task {title} ran as <CallLink call={call} />
    </>
  );
}
