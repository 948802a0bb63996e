import { Fragment, type JSX } from 'preact';
import type { CallProblems } from '../../contract/routes/calls.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { connection } from '../api/session-state.js';
import type { FilterTexts } from '../api/call-filter.js';
import { GoLink } from '../shell/navigation.js';
import type { Route } from '../shell/route.js';
import { formatTime } from '../text/format.js';
import { Status } from '../ui/status.js';
import { useCell } from '../ui/state/observable-cell.js';
import { failedDeliveryWords, problemWords, sinceWhen } from './problem-counts.js';
import { useShownProblem } from './latest-calls.js';

interface NowLineProps {
  platform: PlatformResource;
  problems: CallProblems | undefined;
  failedDeliveries: number;
  /** How many of the earlier failures still fail, if they were replayed on this version. */
  stillFailing: number;
}

export function NowLine({ platform, problems, failedDeliveries, stillFailing }: NowLineProps): JSX.Element {
  const { lastBuild: build, version, settings, integration } = platform;
  const ok = build?.ok ?? true;
  const away = ['lost', 'ended'].includes(useCell(connection));
  return (
    <section class="stack tight now-line" aria-label="Now">
      {problems && (
        <h1>
          <Problems
            problems={problems}
            failedDeliveries={failedDeliveries}
            earlier={ok ? stillFailing : 'broken'}
            since={sinceWhen(platform)}
            version={version}
          />
        </h1>
      )}
      <div class="row">
        {away ? (
          <Status tone="calm">Not connected</Status>
        ) : (
          <Status tone={ok ? 'ok' : 'bad'} live>
            {ok ? 'Build up to date' : 'Build broken'}
          </Status>
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
      </div>
    </section>
  );
}

interface ProblemsProps {
  problems: CallProblems;
  failedDeliveries: number;
  /** Whether the last save does not build, or how many earlier failures still fail. */
  earlier: 'broken' | number;
  since: string;
  version: number;
}

function Problems({ problems, failedDeliveries, earlier, since, version }: ProblemsProps): JSX.Element {
  const { errors, warnings } = problems;
  const shown = useShownProblem(version);
  const calls = (filter: FilterTexts): Route => ({ view: 'calls', filter: { ...filter, current: 'true' } });
  const all: { words: string; tone: string; to: Route }[] = [
    { words: problemWords(errors.current, 0), tone: 'bad', to: calls({ failed: 'true' }) },
    { words: problemWords(0, warnings.current), tone: 'warn', to: calls({ warnings: 'true' }) },
    {
      words: failedDeliveries === 0 ? '' : failedDeliveryWords(failedDeliveries),
      tone: 'bad',
      to: { view: 'webhooks', failed: true },
    },
  ];
  const some = all.filter(({ words }) => words !== '');
  if (some.length === 0 && earlier !== 0)
    return (
      <span class="toned bad">
        {earlier === 'broken'
          ? 'The last save does not build'
          : `${earlier} earlier ${earlier === 1 ? 'failure still fails' : 'failures still fail'}`}
      </span>
    );
  if (some.length === 0)
    return (
      <>
        No calls with errors or warnings {since}
        {shown && ', except in blocks that the console shows'}.
      </>
    );
  return (
    <>
      {some.map(({ words, tone, to }, index) => {
        const isLast = index === some.length - 1;
        return (
          <Fragment key={words}>
            {index > 0 && (isLast ? ' and ' : ', ')}
            <GoLink to={to} class={`toned ${tone}`}>
              {words}
            </GoLink>
          </Fragment>
        );
      })}{' '}
      <span class="quiet">{since}</span>
    </>
  );
}

/** Shows that types could not be checked. The message starts with what happened, followed by the reason and the fix. */
function TypesNotChecked({ message }: { message: string }): JSX.Element {
  const [, what = message, why] = /^(Types are (?:not|no longer) checked)\W+(.*)$/.exec(message) ?? [];
  return (
    <span class="now-types">
      <Status tone="warn">{what}</Status> <span class="small quiet wrap-anywhere">{why}</span>
    </span>
  );
}
