import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { withoutIds } from '../../base/text/without-ids.js';
import type { FailureResource } from '../../contract/basics/resources.js';
import type { CallProblemGroup, CallProblems } from '../../contract/routes/calls.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import type { ReplayResource } from '../../contract/routes/events.js';
import type { FailureReplay } from '../../contract/routes/recordings.js';
import { api } from '../api/fetch-api.js';
import type { FilterTexts } from '../api/call-filter.js';
import { LinkedText } from '../calls/detail/linked-text.js';
import { LoadLater } from '../shell/load-later.js';
import { go, GoLink } from '../shell/navigation.js';
import { FailureSource } from '../text/code/failure.js';
import { formatAge, formatTimeExact, formatTimeOrDate } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { Icon } from '../ui/icon.js';
import { useAct } from '../ui/run-and-report.js';
import { SourceLink } from '../text/source-link.js';
import { Chip, Status } from '../ui/status.js';
import { useNow } from '../ui/state/use-now.js';
import { problemFilter, problemWords, sinceWhen } from './problem-counts.js';

const ageEveryMs = 5000;

interface Replayed {
  /** What happened when the failures of earlier versions were replayed on this version. */
  replays: readonly FailureReplay[] | undefined;
  onReplay: (replays: readonly FailureReplay[]) => void;
}

interface ProblemGroupsProps extends Replayed {
  problems: CallProblems;
  platform: PlatformResource;
  /** The integration of the problems, if one of several was chosen. */
  only?: string | undefined;
}

/** Failures since the last save, grouped by reason and line, and the earlier ones. */
export function ProblemGroups({ problems, platform, only, ...replayed }: ProblemGroupsProps): JSX.Element {
  const { errors, warnings, groups } = problems;
  const current = groups.filter((group) => group.current > 0);
  const most = Math.max(...current.map((group) => group.current));
  const earlier = groups.filter((group) => group.current === 0);
  const several = platform.installations.length > 1;
  const all: FilterTexts = only === undefined ? {} : { integration: only };
  return (
    <>
      {current.length > 0 && (
        <Card
          title={`Failures ${sinceWhen(platform)}`}
          flush
          actions={
            <GoLink
              to={{
                view: 'calls',
                filter: problemFilter(errors.current, warnings.current, { ...all, ...sinceSave }),
              }}
            >
              {totalWords(current.length, errors.current + warnings.current)}
            </GoLink>
          }
        >
          <ul>
            {current.map((group, index) => (
              <Group
                key={keyOf(group)}
                group={group}
                several={several}
                scope={sinceSave}
                share={group.current / most}
                first={index === 0}
              />
            ))}
          </ul>
        </Card>
      )}
      {earlier.length > 0 && (
        <Earlier
          key={problems.version}
          groups={earlier}
          problems={problems}
          several={several}
          all={all}
          first={current.length === 0}
          {...replayed}
        />
      )}
    </>
  );
}

interface EarlierProps extends Replayed {
  groups: readonly CallProblemGroup[];
  problems: CallProblems;
  several: boolean;
  /** The filter for all calls with these problems. */
  all: FilterTexts;
  /** Whether there are no newer failures, so that the groups are shown at once. */
  first: boolean;
}

/** The failures of earlier versions, and on request which of them the current version fixes. */
function Earlier({ groups, problems, several, all, first, replays, onReplay }: EarlierProps): JSX.Element {
  const { errors, warnings, version } = problems;
  const { busy, act } = useAct();
  const [open, setOpen] = useState(first);
  const failed = groups.filter(({ severity }) => severity === 'error');
  const run = (): void =>
    act(async () => {
      onReplay(await api('POST /failures/replay', { calls: failed.map(({ call }) => call) }));
      setOpen(true);
    });
  const counted = problemWords(errors.all - errors.current, warnings.all - warnings.current);
  return (
    <Card
      title={replays ? verdictWords(replays) : `Before the last save: ${counted}`}
      flush
      actions={
        <>
          {failed.length > 0 && (
            <Button
              kind={first && !replays ? 'primary' : 'secondary'}
              size="small"
              icon="replay"
              busy={busy}
              onPress={run}
            >
              {`Replay ${failed.length === 1 ? 'the failure' : `${failed.length} failures`}`}
              {groups[0]?.integration === undefined && (
                <span class="only-read-aloud"> on version {version}</span>
              )}
            </Button>
          )}
          <button
            type="button"
            class="button quiet small"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {open ? 'Hide' : 'Show'}
            <span class="only-read-aloud"> the earlier failures</span>
          </button>
        </>
      }
    >
      {open && (
        <>
          <ul>
            {groups.map((group) => (
              <Group
                key={keyOf(group)}
                group={group}
                several={several}
                scope={{}}
                replay={replays?.find(({ call }) => call === group.call)}
              />
            ))}
          </ul>
          <p class="card-note">
            <GoLink to={{ view: 'calls', filter: problemFilter(errors.all, warnings.all, all) }}>
              All {problemWords(errors.all, warnings.all)}
            </GoLink>
          </p>
        </>
      )}
    </Card>
  );
}

/** Returns text such as "2 of 21 fixed, 19 still fail". */
function verdictWords(replays: readonly FailureReplay[]): string {
  const count = (which: FailureReplay['verdict']): number =>
    replays.filter(({ verdict }) => verdict === which).length;
  const failing = count('failing');
  return [
    `${count('fixed')} of ${replays.length} fixed`,
    ...(failing > 0 ? [`${failing} still ${failing === 1 ? 'fails' : 'fail'}`] : []),
    ...(count('unknown') > 0 ? [`${count('unknown')} unknown`] : []),
  ].join(', ');
}

const sinceSave = { current: 'true' } as const;

/** Explains why the number of failures in the card differs from the number of calls in the line above it. */
const totalWords = (failures: number, calls: number): string =>
  calls === failures ? callWords(calls) : `${failures} failures in ${callWords(calls)}`;

const callWords = (calls: number): string => (calls === 1 ? '1 call' : `${calls.toLocaleString('en')} calls`);

const keyOf = ({ integration, severity, reason, at }: CallProblemGroup): string =>
  [integration, severity, at ? withoutIds(reason) : reason, at?.file, at?.line].join('\n');

const severityLabels = { error: 'Error', warning: 'Warning' } as const;
const verdicts = {
  fixed: { tone: 'ok', text: 'Fixed' },
  failing: { tone: 'bad', text: 'Still failing' },
  unknown: { tone: 'warn', text: 'Unknown' },
} as const;

interface GroupProps {
  group: CallProblemGroup;
  several: boolean;
  scope: { current?: 'true' };
  /** The calls of this group, as a part of those of the largest group. */
  share?: number;
  /** Whether the code is shown at first. The others show only the line, and the code on click. */
  first?: boolean;
  replay?: FailureReplay | undefined;
}

function Group({ group, several, scope, share, first = false, replay }: GroupProps): JSX.Element {
  const { integration, severity, reason, at, call, failure } = group;
  const [open, setOpen] = useState(first);
  const now = useNow(ageEveryMs);
  const place = replay?.at ?? at;
  const isFixed = replay?.verdict === 'fixed';
  const isNew = replay?.reason !== undefined && wordsIn(replay.reason) !== wordsIn(reason);
  return (
    <li class={`bar align-start group ${isFixed ? 'ok' : severity}`}>
      <button
        type="button"
        class="icon-button"
        aria-expanded={open}
        aria-label={`Details of: ${reason}`}
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? 'down' : 'right'} size={14} />
      </button>
      <div class="grow stack tight">
        <div class="bar align-start">
          <Icon name={isFixed ? 'check' : severity} label={isFixed ? 'Fixed' : severityLabels[severity]} />
          <div class="grow">
            <GoLink to={{ view: 'calls', call }} class="group-title">
              {showControls(reason)}
            </GoLink>
            <p class="row small group-place">
              {integration !== undefined && <Chip>{integration}</Chip>}
              {place && <SourceLink {...place} />}
              {replay?.before !== undefined ? (
                <code class="grow wrap-anywhere">{`${replay.before} → ${replay.after}`}</code>
              ) : (
                !open && <code class="cut grow">{lineOf(failure)}</code>
              )}
            </p>
            {isNew && <p class="small">Now: {showControls(replay.reason ?? '')}</p>}
          </div>
          {replay && <Status tone={verdicts[replay.verdict].tone}>{verdicts[replay.verdict].text}</Status>}
          <div class="group-side small number">
            <GoLink to={{ view: 'calls', filter: { ...filterOf(group), ...scope } }}>
              {callWords(scope.current ? group.current : group.calls)}
            </GoLink>
            <span class="quiet">{formatAge(now - group.last)}</span>
            {share !== undefined && <span class="group-share" style={{ width: `${share * 100}%` }} />}
          </div>
        </div>
        {open && <GroupDetails group={group} several={several} scope={scope} />}
      </div>
    </li>
  );
}

const wordsIn = (reason: string): string => withoutIds(reason).replace(/\W+/g, ' ');

function lineOf(failure: FailureResource | undefined): string {
  const { line, frame } = failure ?? {};
  return (frame && line !== undefined && frame.lines[line - frame.firstLine]?.trim()) || '';
}

function GroupDetails({
  group,
  several,
  scope,
}: Pick<GroupProps, 'group' | 'several' | 'scope'>): JSX.Element {
  const { reason, call, version, source, installation, failure, likelyCause } = group;
  const { busy, act } = useAct();
  const [replay, setReplay] = useState<ReplayResource>();
  return (
    <>
      {likelyCause !== undefined && (
        <p class="small">
          Likely cause: <LinkedText text={likelyCause} hasCommand />
        </p>
      )}
      {failure && (
        <FailureSource
          failure={failure}
          label={`Source of ${failure.file}, line ${failure.line}: ${reason}`}
        />
      )}
      <div class="row small">
        <span class="quiet grow number">
          <SinceWhen {...group} />
          {scope.current === undefined && ` by version ${version}`}
          {several && installation !== undefined && ` in ${installation}`}
        </span>
        {source !== 'script' && (
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
      </div>
      {replay && (
        <LoadLater meanwhile={null}>
          {({ ReplayDiff }) => (
            <ReplayDiff
              of={call}
              replay={replay}
              onClose={() => setReplay(undefined)}
              onOpen={(id) => go({ view: 'calls', call: id })}
            />
          )}
        </LoadLater>
      )}
    </>
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

/** The calls of a group differ in ids and numbers, so the filter is the longest part between them. */
const commonPart = (reason: string): string =>
  withoutIds(reason)
    .split('#')
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '');

const filterOf = ({ integration, severity, reason, at }: CallProblemGroup): FilterTexts => ({
  ...problemFilter(severity === 'error' ? 1 : 0, severity === 'warning' ? 1 : 0, {}),
  // Removes the full stop, because the reason of a call with several problems ends with a number instead.
  reason: (at ? commonPart(reason) : reason).trim().slice(0, longestFilter).replace(/\.$/, ''),
  ...(at && { at: `${at.file}:${at.line}` }),
  ...(integration !== undefined && { integration }),
});
