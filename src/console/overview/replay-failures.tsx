import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { CallProblemGroup } from '../../contract/routes/calls.js';
import type { FailureReplay } from '../../contract/routes/recordings.js';
import { api } from '../api/fetch-api.js';
import { GoLink } from '../shell/navigation.js';
import { SourceLink } from '../text/source-link.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { useAct } from '../ui/run-and-report.js';
import { Status } from '../ui/status.js';

const looks = {
  fixed: { tone: 'ok', text: 'Fixed' },
  failing: { tone: 'bad', text: 'Still failing' },
  unknown: { tone: 'warn', text: 'Unknown' },
} as const;

/** Offers to replay the failures of earlier versions, and shows which of them are fixed. */
export function ReplayFailures(props: { groups: CallProblemGroup[]; version: number }): JSX.Element | null {
  const { groups, version } = props;
  const { busy, act } = useAct();
  const [rows, setRows] = useState<{ group: CallProblemGroup; replay: FailureReplay }[]>();
  if (groups.length === 0) return null;
  const run = (): void =>
    act(async () => {
      const replays = await api('POST /failures/replay', { calls: groups.map(({ call }) => call) });
      setRows(replays.flatMap((replay, at) => (groups[at] ? [{ group: groups[at], replay }] : [])));
    });
  const fixed = rows?.filter(({ replay }) => replay.verdict === 'fixed').length;
  const failures = groups.length === 1 ? 'failure' : `${groups.length} failures`;
  const offer = (
    <Button size="small" icon="replay" busy={busy} onPress={run}>
      {`Replay the ${failures} on version ${version}`}
    </Button>
  );
  if (!rows) return <p class="row">{offer}</p>;
  return (
    <Card title={`${fixed} of ${rows.length} fixed in version ${version}`} flush actions={offer}>
      <ul class="groups">
        {rows.map(({ group, replay: { call, verdict, reason, at, before, after } }) => (
          <li key={call} class="column group">
            <div class="wrap group-head">
              <Status tone={looks[verdict].tone}>{looks[verdict].text}</Status>
              <strong class="grow wrap-anywhere">
                <GoLink to={{ view: 'calls', call }}>{group.reason}</GoLink>
              </strong>
            </div>
            <p class="wrap group-facts small wrap-anywhere">
              {(at ?? group.at) && <SourceLink {...(at ?? group.at)!} />}
              {reason !== undefined && reason !== group.reason && <span>{reason}</span>}
              {before !== undefined && <code>{`${before} → ${after}`}</code>}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
