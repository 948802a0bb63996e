import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { FailureResource } from '../../contract/basics/resources.js';
import type { CallProblemGroup, CallProblems } from '../../contract/routes/calls.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import type { ReplayResource } from '../../contract/routes/events.js';
import { api } from '../api/fetch-api.js';
import type { FilterTexts } from '../api/call-filter.js';
import { LinkedText } from '../calls/detail/linked-text.js';
import { ReplayDiff } from '../calls/replay-diff.js';
import { useCall } from '../live/use-resource.js';
import { go, GoLink } from '../shell/navigation.js';
import { FailureSource } from '../text/code/failure.js';
import { formatAge, formatTimeExact, formatTimeOrDate } from '../text/format.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { useAct } from '../ui/run-and-report.js';
import { SourceLink } from '../text/source-link.js';
import { Status } from '../ui/status.js';
import { useNow } from '../ui/state/use-now.js';
import { ReplayFailures } from './replay-failures.js';
import { problemFilter, problemWords, sinceWhen } from './problem-counts.js';

const mostShown = 5;
/** How many groups show their code at first. The others show it on click. */
const mostFrames = 2;
const ageEveryMs = 5000;

interface ProblemGroupsProps {
  problems: CallProblems;
  platform: PlatformResource;
}

/** Failures since the last save, grouped by reason and line. Earlier problems are collapsed. */
export function ProblemGroups({ problems, platform }: ProblemGroupsProps): JSX.Element | null {
  const { errors, warnings, groups } = problems;
  const current = groups.filter((group) => group.current > 0);
  const former = groups.filter((group) => group.current === 0);
  const earlier = former.slice(0, mostShown);
  if (groups.length === 0) return null;
  const hidden = current.length - mostShown;
  const several = platform.installations.length > 1;
  const all = { view: 'calls' as const, filter: problemFilter(errors.current, warnings.current, sinceSave) };
  return (
    <>
      {current.length > 0 && (
        <Card
          title={`Failures ${sinceWhen(platform)}`}
          tone={errors.current > 0 ? 'bad' : undefined}
          flush
          actions={<GoLink to={all}>{totalWords(current.length, errors.current + warnings.current)}</GoLink>}
        >
          <ul class="groups">
            {current.slice(0, mostShown).map((group, index) => (
              <Group
                key={keyOf(group)}
                group={group}
                several={several}
                count={group.current}
                scope={sinceSave}
                open={index < mostFrames}
              />
            ))}
          </ul>
          {hidden > 0 && (
            <p class="card-note">
              <GoLink to={all}>{hidden === 1 ? '1 more failure' : `${hidden} more failures`}</GoLink>
            </p>
          )}
        </Card>
      )}
      <ReplayFailures
        key={problems.version}
        version={problems.version}
        groups={former.filter(({ severity }) => severity === 'error')}
      />
      {earlier.length > 0 && (
        <details class="card earlier">
          <summary>
            Before the last save: {problemWords(errors.all - errors.current, warnings.all - warnings.current)}
          </summary>
          <ul class="groups">
            {earlier.map((group) => (
              <Group
                key={keyOf(group)}
                group={group}
                several={several}
                count={group.calls}
                scope={{}}
                open={false}
              />
            ))}
          </ul>
          <p class="card-note">
            <GoLink to={{ view: 'calls', filter: problemFilter(errors.all, warnings.all, {}) }}>
              All {problemWords(errors.all, warnings.all)}
            </GoLink>
          </p>
        </details>
      )}
    </>
  );
}

const sinceSave = { current: 'true' } as const;

/** Explains why the number of failures in the card differs from the number of calls in the line above it. */
const totalWords = (failures: number, calls: number): string =>
  calls === failures ? callWords(calls) : `${failures} failures in ${callWords(calls)}`;

const callWords = (calls: number): string => (calls === 1 ? '1 call' : `${calls.toLocaleString('en')} calls`);

const keyOf = ({ severity, reason, at }: CallProblemGroup): string =>
  [severity, reason, at?.file, at?.line].join('\n');

const looks = { error: { tone: 'bad', text: 'Error' }, warning: { tone: 'warn', text: 'Warning' } } as const;

interface GroupProps {
  group: CallProblemGroup;
  several: boolean;
  count: number;
  scope: { current?: 'true' };
  open: boolean;
}

function Group({ group, several, count, scope, open }: GroupProps): JSX.Element {
  const { severity, reason, at, call, version } = group;
  const { data } = useCall(call);
  const { busy, act } = useAct();
  const [replay, setReplay] = useState<ReplayResource>();
  const { tone, text } = looks[severity];
  const where = several ? data?.environment?.installation?.id : undefined;
  return (
    <li class={`column group ${severity}`}>
      <div class="wrap group-head">
        <Status tone={tone}>{text}</Status>
        <strong class="grow wrap-anywhere">
          <LinkedText text={reason} />
        </strong>
        <div class="row">
          {data && data.source !== 'script' && (
            <Button
              size="small"
              icon="replay"
              busy={busy}
              onPress={() => act(async () => setReplay(await api('POST /calls/{call}/replay', { call })))}
            >
              Replay
              <span class="only-read-aloud"> the most recent call with: {reason}</span>
            </Button>
          )}
          <Button size="small" icon="right" onPress={() => go({ view: 'calls', call })}>
            Open
            <span class="only-read-aloud"> the most recent call with: {reason}</span>
          </Button>
        </div>
      </div>
      <p class="wrap group-facts small number">
        {at && <SourceLink {...at} />}
        <GoLink to={{ view: 'calls', filter: { ...filterOf(group), ...scope } }}>{callWords(count)}</GoLink>
        <span class="quiet">
          <SinceWhen {...group} />
          {scope.current === undefined && ` by version ${version}`}
          {where !== undefined && ` in ${where}`}
        </span>
      </p>
      {data?.likelyCause !== undefined && (
        <p class="small">
          Likely cause: <LinkedText text={data.likelyCause} hasCommand />
        </p>
      )}
      {open && <NewestFrame failure={data?.failure} reason={reason} />}
      {replay && (
        <ReplayDiff
          of={call}
          replay={replay}
          onClose={() => setReplay(undefined)}
          onOpen={(id) => go({ view: 'calls', call: id })}
        />
      )}
    </li>
  );
}

function SinceWhen({ calls, current, first, last }: CallProblemGroup): JSX.Element {
  const now = useNow(ageEveryMs);
  return (
    <>
      {calls > 1 && (
        <span title={formatTimeExact(first)}>
          first at {formatTimeOrDate(first, now)}
          {current > 0 && current < calls && ', before the last save'}, last{' '}
        </span>
      )}
      <span title={formatTimeExact(last)}>
        {formatAge(now - last)}, at {formatTimeOrDate(last, now)}
      </span>
    </>
  );
}

/** The maximum length of a filter. A shortened reason still matches, because filters match any part of a reason. */
const longestFilter = 300;

const filterOf = ({ severity, reason, at }: CallProblemGroup): FilterTexts => ({
  ...problemFilter(severity === 'error' ? 1 : 0, severity === 'warning' ? 1 : 0, {}),
  // Removes the full stop, because the reason of a call with several problems ends with a number instead.
  reason: reason.slice(0, longestFilter).replace(/\.$/, ''),
  ...(at && { at: `${at.file}:${at.line}` }),
});

/**
 * The code of the newest call. The previous code stays visible while a newer call loads, so that the layout does not jump.
 */
function NewestFrame(props: { failure: FailureResource | undefined; reason: string }): JSX.Element | null {
  const { failure, reason } = props;
  const shown = useRef<FailureResource | undefined>(undefined);
  if (failure?.frame) shown.current = failure;
  if (!shown.current) return null;
  const { file, line } = shown.current;
  return <FailureSource failure={shown.current} label={`Source of ${file}, line ${line}: ${reason}`} />;
}
