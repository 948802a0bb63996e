import type { JSX } from 'preact';
import type { CallProblems } from '../../contract/routes/calls.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { GoLink } from '../shell/navigation.js';
import { formatTime } from '../text/format.js';
import { Status } from '../ui/status.js';
import { currentWords, failedDeliveryWords, problemFilter, sinceWhen } from './problem-counts.js';

interface NowLineProps {
  platform: PlatformResource;
  problems: CallProblems | undefined;
  failedDeliveries: number;
}

/** Summarizes the state of the integration in one line: the build, version and runtime, and the failures since the last save. */
export function NowLine({ platform, problems, failedDeliveries }: NowLineProps): JSX.Element {
  const { lastBuild: build, version, settings, integration } = platform;
  const ok = build?.ok ?? true;
  return (
    <section class="now" aria-label="Now">
      <Status tone={ok ? 'ok' : 'bad'} live>
        {ok ? 'Build up to date' : 'Build broken'}
      </Status>
      {problems && (
        <Problems problems={problems} failedDeliveries={failedDeliveries} since={` ${sinceWhen(platform)}`} />
      )}
      <span class="number">
        {integration.script === undefined ? 'No script' : `Version ${version}`}
        {build && (
          <span class="quiet">
            {ok ? ', saved at ' : ', last save at '}
            {formatTime(build.time)}
          </span>
        )}
      </span>
      {settings.runtime !== undefined && <span class="quiet">{settings.runtime}</span>}
      {build?.typesNotChecked !== undefined && <TypesNotChecked message={build.typesNotChecked} />}
    </section>
  );
}

function Problems(props: { problems: CallProblems; failedDeliveries: number; since: string }): JSX.Element {
  const { problems, failedDeliveries, since } = props;
  const { errors, warnings } = problems;
  const words = currentWords(problems);
  if (words === '' && failedDeliveries === 0)
    return <span class="quiet">No errors or warnings{since}. Renders in the console are not counted.</span>;
  const filter = problemFilter(errors.current, warnings.current, { current: 'true' });
  return (
    <span>
      {words !== '' && (
        <GoLink to={{ view: 'calls', filter }} class={errors.current > 0 ? 'now-bad' : 'now-warn'}>
          {words}
          {failedDeliveries === 0 && since}
        </GoLink>
      )}
      {words !== '' && failedDeliveries > 0 && ' and '}
      {failedDeliveries > 0 && (
        <GoLink to={{ view: 'webhooks', failed: true }} class="now-bad">
          {failedDeliveryWords(failedDeliveries)}
          {since}
        </GoLink>
      )}
    </span>
  );
}

/**
 * Shows that types could not be checked. The first part of the message is what happened, and the rest is the reason and the
 * fix.
 */
function TypesNotChecked({ message }: { message: string }): JSX.Element {
  const [, what = message, why] = /^(Types are (?:not|no longer) checked)\W+(.*)$/.exec(message) ?? [];
  return (
    <span class="now-types">
      <Status tone="warn">{what}</Status> <span class="small quiet wrap-anywhere">{why}</span>
    </span>
  );
}
