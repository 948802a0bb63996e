import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../api/fetch-api.js';
import type { CheckResource, DiagnosticResource, ListingResource } from '../../contract/routes/listing.js';
import { useResource } from '../live/use-resource.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { showControls } from '../text/show-controls.js';
import { SourceLink } from '../text/source-link.js';
import { Status } from '../ui/status.js';

/** The result of `publish-check` for the current project, and how to read it again. */
export const useListing = (): ReturnType<typeof useResource<ListingResource>> =>
  useResource(
    'listing',
    () => api('GET /listing'),
    ({ type }) => type === 'reloaded' || type === 'build',
  );

/** Whether the problems are shown next to the listing. On narrow screens, only the errors are shown, above the listing. */
const isBeside = (): boolean => matchMedia('(min-width: 1181px)').matches;

export function Findings({ data, error, read }: ReturnType<typeof useListing>): JSX.Element {
  const [open] = useState(isBeside);
  const groups = groupProblems(data?.diagnostics ?? []);
  const errors = groups.filter(([{ severity }]) => severity === 'error');
  const others = groups.filter(([{ severity }]) => severity !== 'error');
  const count = others.reduce((sum, group) => sum + group.length, 0);
  return (
    <Card
      title="Publish check"
      flush
      actions={
        <>
          {data && <Summary summary={data.summary} />}
          <Button kind="quiet" size="small" icon="replay" label="Check again" onPress={read} />
        </>
      }
    >
      {error !== undefined && <p class="card-note field-error">{error}</p>}
      {!data && error === undefined && <LoadingState lines={5} />}
      {data?.diagnostics.length === 0 && <p class="card-note quiet">No problems in any file.</p>}
      <ol aria-label="Errors">
        {errors.map((group) => (
          <ProblemGroup key={keyOf(group[0])} group={group} />
        ))}
      </ol>
      {others.length > 0 && (
        <details class="more-problems" open={open}>
          <summary>
            {count === 1 ? '1 more problem' : `${count} more problems`}
            {others.length < count && ` of ${others.length} ${others.length === 1 ? 'kind' : 'kinds'}`}
          </summary>
          <ol aria-label="Other problems">
            {others.map((group) => (
              <ProblemGroup key={keyOf(group[0])} group={group} />
            ))}
          </ol>
        </details>
      )}
    </Card>
  );
}

const severities = ['error', 'warning', 'info'] as const;

/** The same for problems that are shown as one group. */
const keyOf = ({ severity, code, help }: DiagnosticResource): string =>
  JSON.stringify([severity, code, help]);

type Group = [DiagnosticResource, ...DiagnosticResource[]];

/** Groups problems that have the same fix. Sorts errors first, because they prevent publishing, and otherwise keeps the order. */
function groupProblems(diagnostics: readonly DiagnosticResource[]): Group[] {
  const groups = new Map<string, Group>();
  for (const severity of severities)
    for (const one of diagnostics.filter((diagnostic) => diagnostic.severity === severity)) {
      const key = keyOf(one);
      const group = groups.get(key);
      if (group) group.push(one);
      else groups.set(key, [one]);
    }
  return [...groups.values()];
}

const tones = { error: 'bad', warning: 'warn', info: 'info' } as const;
const severityWords = { error: 'Error', warning: 'Warning', info: 'Info' };

function ProblemGroup({ group }: { group: Group }): JSX.Element {
  const [{ severity, code, help }] = group;
  return (
    <li class="column finding">
      <p class="row">
        <Status tone={tones[severity]}>{severityWords[severity]}</Status>
        <span class="quiet small mono wrap-anywhere">{code}</span>
      </p>
      {group.map(({ message, file, range }, index) => (
        <div key={index}>
          <p class="wrap-anywhere">{showControls(message)}</p>
          <p class="small mono">
            <SourceLink file={file} line={range?.start.line} column={range?.start.column} />
          </p>
        </div>
      ))}
      {help !== undefined && <p class="small quiet wrap-anywhere">{showControls(help)}</p>}
    </li>
  );
}

function Summary({ summary: { errors, warnings } }: Pick<ListingResource, 'summary'>): JSX.Element {
  const found = [
    [errors, 'error', 'bad'],
    [warnings, 'warning', 'warn'],
  ] as const;
  return (
    <span class="row" role="status">
      {found.map(
        ([count, noun, tone]) =>
          count > 0 && <Status key={noun} tone={tone}>{`${count} ${noun}${count === 1 ? '' : 's'}`}</Status>,
      )}
      {errors + warnings === 0 && <Status tone="ok">No problems</Status>}
    </span>
  );
}

const verdicts = {
  fail: { tone: 'bad', text: 'Fail' },
  warn: { tone: 'warn', text: 'Warning' },
  review: { tone: 'calm', text: 'Review' },
  skipped: { tone: 'calm', text: 'Skipped' },
  pass: { tone: 'ok', text: 'Pass' },
} as const;

export function Checklist({ checks, diagnostics }: Omit<ListingResource, 'summary'>): JSX.Element {
  const listed = new Set(diagnostics.map(({ code }) => code));
  const of = (verdict: CheckResource['verdict']): CheckResource[] =>
    checks.filter((check) => check.verdict === verdict && !listed.has(check.id));
  const passed = of('pass');
  return (
    <Card title="Checklist" flush>
      <ul>
        {[...of('fail'), ...of('warn'), ...of('review'), ...of('skipped')].map((check) => (
          <Check key={check.id} check={check} />
        ))}
      </ul>
      {passed.length > 0 && (
        <details class="passed">
          <summary>{passed.length} passed</summary>
          <ul>
            {passed.map((check) => (
              <Check key={check.id} check={check} />
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}

function Check({ check: { id, verdict, evidence, help } }: { check: CheckResource }): JSX.Element {
  const { tone, text } = verdicts[verdict];
  return (
    <li class="column finding">
      <p class="row align-start">
        <span class="grow wrap-anywhere">{evidence}</span>
        <Status tone={tone}>{text}</Status>
      </p>
      <p class="small quiet mono wrap-anywhere">{id}</p>
      {help !== undefined && verdict !== 'pass' && <p class="small wrap-anywhere">{help}</p>}
    </li>
  );
}
