import type { ComponentChildren, JSX } from 'preact';
import type { PlatformResource } from '../../../contract/routes/overview.js';
import type { CallRecord } from '../../../contract/routes/calls.js';
import { describeCause } from '../../../base/text/describe-cause.js';
import { installedIn, titleOfTarget } from '../../live/where-installed.js';
import { formatAge, formatDuration, formatTimeExact } from '../../text/format.js';
import { useNow } from '../../ui/state/use-now.js';
import { Icon } from '../../ui/icon.js';
import { SourceLink } from '../../text/source-link.js';
import { CallLink } from './call-link.js';
import { LinkedText } from './linked-text.js';
import { reasonText } from './repeats-reason.js';

export function CallVerdict({ entry }: { entry: CallRecord }): JSX.Element | null {
  const { severity, at, likelyCause } = entry;
  const reason = reasonText(entry);
  if (severity === 'none' || reason === undefined) return null;
  const isError = severity === 'error';
  return (
    <div
      class={isError ? 'notice bad' : 'notice warn'}
      role="note"
      aria-label={isError ? 'Error' : 'Warning'}
    >
      <Icon name={severity} />
      <div>
        <p>
          <strong>
            <LinkedText text={reason} />
          </strong>
        </p>
        {at && (
          <p>
            <SourceLink {...at} />
          </p>
        )}
        {likelyCause !== undefined && (
          <p>
            Likely cause: <LinkedText text={likelyCause} hasCommand />
          </p>
        )}
      </div>
    </div>
  );
}

export function CallFacts({
  entry,
  platform,
}: {
  entry: CallRecord;
  platform: PlatformResource;
}): JSX.Element {
  const { environment, event, cause } = entry;
  const now = useNow(10_000);
  const installation = environment?.installation?.id ?? event?.installationId;
  const site = environment?.siteInstallation?.site;
  const space = environment?.spaceInstallation?.space;
  const where =
    installation === undefined
      ? undefined
      : titleOfTarget(installedIn(platform), { installation, site, space });
  return (
    <dl class="wrap call-facts small">
      <Fact name="Time">
        {formatTimeExact(entry.time)} <span class="quiet nowrap">({formatAge(now - entry.time)})</span>
      </Fact>
      {entry.durationMs !== undefined && <Fact name="Took">{formatDuration(entry.durationMs)}</Fact>}
      {where !== undefined && <Fact name="Installation">{where}</Fact>}
      <Fact name="Version">v{entry.version}</Fact>
      {cause?.type === 'replay' && cause.call !== undefined ? (
        <Fact name="Replay of" named>
          <CallLink call={cause.call} />
        </Fact>
      ) : (
        <Fact name="Trigger">
          <Trigger entry={entry} />
        </Fact>
      )}
    </dl>
  );
}

/** If there is little room, only screen readers announce the name, unless the value is unclear without it. */
const Fact = ({
  name,
  named = false,
  children,
}: {
  name: string;
  named?: boolean;
  children: ComponentChildren;
}): JSX.Element => (
  <div>
    <dt class={named ? 'named' : undefined}>{name}</dt>
    <dd class="wrap-anywhere">{children}</dd>
  </div>
);

const sources: Record<CallRecord['source'], string> = {
  request: 'HTTP request',
  event: 'Platform event',
  script: 'The script, while no call was running',
};

function Trigger({ entry: { cause, source } }: { entry: CallRecord }): JSX.Element {
  if (!cause) return <>{sources[source]}</>;
  const text = describeCause(cause);
  return (
    <>
      {text.charAt(0).toUpperCase() + text.slice(1)}{' '}
      {cause.call !== undefined && <CallLink call={cause.call} />}
    </>
  );
}
