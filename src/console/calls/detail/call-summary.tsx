import type { JSX } from 'preact';
import type { CallRecord } from '../../../contract/routes/calls.js';
import { MarkupWarnings } from '../../markup/markup-warnings.js';
import { Facts } from '../../ui/facts.js';
import { FailureSource } from '../../text/code/failure.js';
import { Icon } from '../../ui/icon.js';
import { formatBytes } from '../../../base/text/format-bytes.js';
import { JsonView } from '../../text/json-view.js';
import { describeMemory } from '../../../protocol/call-limits.js';
import { missingScopeWarning } from '../../../protocol/scopes.js';
import { Comparison } from './comparison.js';
import { CallBody } from './call-body.js';
import { LinkedText } from './linked-text.js';
import { LogLines, Stack } from './log-lines.js';
import { repeatsReason } from './repeats-reason.js';
import { TimelineView } from './timeline-view.js';
import type { CallEffect } from '../../../protocol/log-and-outbound-types.js';
import { GoLink } from '../../shell/navigation.js';
import { CallLink } from './call-link.js';
import { formatTime } from '../../text/format.js';
import { describeUse, limitNames, limitTitles, showAmount } from '../../../protocol/call-limits.js';

const mostErrors = 3;

export function EntrySummary({
  entry,
  showLogs,
  showOutbound,
}: {
  entry: CallRecord;
  showLogs: () => void;
  showOutbound: (number: number) => void;
}): JSX.Element {
  const { logs, time, cause } = entry;
  const replayOf = cause?.type === 'replay' ? cause.call : undefined;
  const errors = logs.filter(({ level }) => level === 'error').slice(0, mostErrors);
  const others = errors.filter(({ text }) => !repeatsReason(entry, text));
  return (
    <div class="stack">
      <FailurePlace entry={entry} />
      <Notices entry={entry} />
      {replayOf !== undefined && (
        <section>
          <h3 class="bar section-title">Compared with the replayed call</h3>
          <Comparison before={replayOf} after={entry.id} />
        </section>
      )}
      {others.length > 0 && <LogLines lines={others} since={time} />}
      <section>
        <h3 class="bar section-title">Timeline</h3>
        <TimelineView entry={entry} showLogs={showLogs} showOutbound={showOutbound} />
      </section>
      <CallLinks entry={entry} />
      {entry.event && (
        <section>
          <h3 class="bar section-title">Event</h3>
          <JsonView value={entry.event} label="Event" />
        </section>
      )}
      {entry.response && (
        <section>
          <h3 class="bar section-title">Response</h3>
          <CallBody entry={entry} which="response" />
        </section>
      )}
      <HeadroomFacts entry={entry} />
      <Facts
        facts={[
          ['Received', formatBytes(entry.requestBytes)],
          ['Sent', formatBytes(entry.responseBytes)],
          ...(entry.memory ? [['Memory', describeMemory(entry.memory)] as const] : []),
        ]}
      />
    </div>
  );
}

function FailurePlace({ entry }: { entry: CallRecord }): JSX.Element | null {
  const { failure, logs } = entry;
  const logged = logs.find(({ level, text }) => level === 'error' && repeatsReason(entry, text));
  const [, ...stack] = logged?.text.split('\n') ?? [];
  if (!failure?.frame && stack.length === 0) return null;
  return (
    <section aria-label="Source" class="stack tight">
      {failure && <FailureSource failure={failure} />}
      {stack.length > 0 && (
        <pre class="grow wrap-anywhere log-text" dir="ltr">
          <Stack text={stack.join('\n')} />
        </pre>
      )}
    </section>
  );
}

function Notices({ entry }: { entry: CallRecord }): JSX.Element {
  const { event, error, failure, missingScope, problems = [], warnings = [] } = entry;
  const messages = [
    ...(error === undefined || failure ? [] : [error]),
    ...(event && missingScope !== undefined ? [missingScopeWarning(event.type, missingScope)] : []),
    // Markup problems are described in more detail below.
    ...problems.filter(({ code }) => code !== 'unknown-markup').map(({ message }) => message),
  ];
  return (
    <>
      {messages
        .filter((message) => !repeatsReason(entry, message))
        .map((message) => (
          <div key={message} class="notice warn" role="note">
            <Icon name="warning" />
            <div>
              <LinkedText text={message} />
            </div>
          </div>
        ))}
      <NearLimits entry={entry} />
      <MarkupWarnings warnings={warnings} />
    </>
  );
}

function CallLinks({ entry }: { entry: CallRecord }): JSX.Element | null {
  const { effects = [] } = entry;
  if (effects.length === 0) return null;
  return (
    <section>
      <h3 class="bar section-title">Related</h3>
      <ul class="column call-links">
        {effects.map((effect, index) => (
          <li key={index}>
            <span class="quiet number">{formatTime(effect.time)}</span> <Effect effect={effect} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const effectWords = {
  replay: 'Replayed as',
  render: 'Next action:',
  setup: 'Changed the installation, handled in',
};

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
        {effectWords[type]} {call && <CallLink call={call} />}
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

function NearLimits({ entry }: { entry: CallRecord }): JSX.Element | null {
  const { near } = entry;
  if (!near) return null;
  return (
    <div class="notice warn" role="note">
      <Icon name="warning" />
      <div>Near a limit: {near.map(describeUse).join(', ')}.</div>
    </div>
  );
}

function HeadroomFacts({ entry }: { entry: CallRecord }): JSX.Element | null {
  const { headroom = {} } = entry;
  const facts = limitNames.flatMap((name) => {
    const use = headroom[name];
    if (!use) return [];
    const { used, limit } = use;
    const title = limitTitles[name];
    const amount = showAmount(name, used);
    const whole = limit === undefined ? amount : `${amount} of ${showAmount(name, limit)}`;
    return [[`${title[0]?.toUpperCase()}${title.slice(1)}`, whole] as const];
  });
  if (facts.length === 0) return null;
  return (
    <section>
      <h3 class="bar section-title">Limits</h3>
      <Facts facts={facts} />
    </section>
  );
}
