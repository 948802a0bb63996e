import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { CallRecord } from '../../../contract/routes/calls.js';
import { MarkupWarnings } from '../../markup/markup-warnings.js';
import { Facts } from '../../ui/facts.js';
import { FailureSource } from '../../text/code/failure.js';
import { Icon } from '../../ui/icon.js';
import { formatBytes } from '../../../base/text/format-bytes.js';
import { JsonView } from '../../text/json-view.js';
import { describeMemory } from '../../../protocol/call-limits.js';
import { missingScopeWarning } from '../../../protocol/scopes.js';
import { CallBody } from './call-body.js';
import { LinkedText } from './linked-text.js';
import { LogLines, Stack } from './log-lines.js';
import { repeatsReason } from './repeats-reason.js';
import { TimelineView } from './timeline-view.js';
import type { CallEffect } from '../../../protocol/log-and-outbound-types.js';
import { LoadLater } from '../../shell/load-later.js';
import { GoLink } from '../../shell/navigation.js';
import { CopyButton } from '../../ui/copy-button.js';
import type { PlatformResource } from '../../../contract/routes/overview.js';
import { CallLink } from './call-link.js';
import { formatTime, prettyJson } from '../../text/format.js';
import { describeUse, limitNames, limitTitles, showAmount } from '../../../protocol/call-limits.js';

const mostErrors = 3;

export function EntrySummary({
  entry,
  platform,
  showLogs,
  showOutbound,
}: {
  entry: CallRecord;
  platform: PlatformResource;
  showLogs: () => void;
  showOutbound: (number: number) => void;
}): JSX.Element {
  const { logs, time, cause, event, request, response, requestBytes, severity } = entry;
  const replayOf = cause?.type === 'replay' ? cause.call : undefined;
  const errors = logs.filter(({ level }) => level === 'error').slice(0, mostErrors);
  const others = errors.filter(({ text }) => !repeatsReason(entry, text));
  return (
    <div class="stack">
      <FailurePlace entry={entry} />
      {severity === 'error' && request && requestBytes > 0 && (
        <section>
          <h3 class="bar section-title">Request body</h3>
          <CallBody entry={entry} which="request" />
        </section>
      )}
      <Notices entry={entry} />
      {replayOf !== undefined && (
        <section>
          <h3 class="bar section-title">Compared with the replayed call</h3>
          <LoadLater>{({ Comparison }) => <Comparison before={replayOf} after={entry.id} />}</LoadLater>
        </section>
      )}
      {event?.type === 'ui_render' && (
        <LoadLater meanwhile={null}>
          {({ RenderedMarkup }) => <RenderedMarkup entry={entry} platform={platform} />}
        </LoadLater>
      )}
      {others.length > 0 && <LogLines lines={others} since={time} />}
      <section>
        <h3 class="bar section-title">Timeline</h3>
        <TimelineView entry={entry} showLogs={showLogs} showOutbound={showOutbound} />
      </section>
      <CallLinks entry={entry} />
      {event && !request && (
        <section>
          <h3 class="bar section-title">Event</h3>
          <JsonView value={event} label="Event" />
        </section>
      )}
      {response && event?.type !== 'ui_render' && (
        <section>
          <h3 class="bar section-title">Response</h3>
          <CallBody entry={entry} which="response" />
        </section>
      )}
      {entry.source !== 'script' && <Envelope entry={entry} />}
    </div>
  );
}

/** What the script received, and what the call used. Rarely needed, so it is collapsed at first. */
function Envelope({ entry }: { entry: CallRecord }): JSX.Element {
  const { event, environment, request, requestBytes, responseBytes, memory } = entry;
  const [open, setOpen] = useState(false);
  return (
    <details class="card" onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
      <summary>Envelope and limits</summary>
      {open && (
        <div class="stack card-body">
          {event ? (
            request && <Part name="event" value={event} />
          ) : (
            <p class="quiet">This envelope was posted directly, and passed to the script unchanged.</p>
          )}
          {environment && <Part name="environment" value={environment} />}
          {!request && requestBytes > 0 && <CallBody entry={entry} which="request" />}
          <Facts
            facts={[
              ['Received', formatBytes(requestBytes)],
              ['Sent', formatBytes(responseBytes)],
              ...(memory ? [['Memory', describeMemory(memory)] as const] : []),
              ...limitFacts(entry),
            ]}
          />
        </div>
      )}
    </details>
  );
}

function Part({ name, value }: { name: string; value: object }): JSX.Element {
  return (
    <section>
      <h3 class="bar section-title mono">
        <span class="grow">{name}</span>
        <CopyButton text={() => prettyJson(value)} label={`Copy the ${name}`} />
      </h3>
      <JsonView value={value} label={name} open={1} />
    </section>
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
      <ul class="column gap-s">
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

const limitFacts = ({ headroom = {} }: CallRecord): (readonly [string, string])[] =>
  limitNames.flatMap((name) => {
    const use = headroom[name];
    if (!use) return [];
    const { used, limit } = use;
    const title = limitTitles[name];
    const amount = showAmount(name, used);
    const whole = limit === undefined ? amount : `${amount} of ${showAmount(name, limit)}`;
    return [[`${title[0]?.toUpperCase()}${title.slice(1)}`, whole] as const];
  });
