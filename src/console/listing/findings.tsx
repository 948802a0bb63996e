import type { JSX } from 'preact';
import { api } from '../api/fetch-api.js';
import type { CheckResource, DiagnosticResource, ListingResource } from '../../contract/routes/listing.js';
import { useResource } from '../live/use-resource.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { Problem } from '../text/problem.js';
import { Status } from '../ui/status.js';

/** Shows the result of `publish-check` for the current project. */
export function Findings(): JSX.Element {
  const { data, error, read } = useResource(
    'listing',
    () => api('GET /listing'),
    ({ type }) => type === 'reloaded' || type === 'build',
  );
  return (
    <aside class="stack" aria-label="Problems">
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
        <ol aria-label="Problems in the files">
          {bySeverity(data?.diagnostics ?? []).map((diagnostic, index) => (
            <li key={index} class="finding">
              <Diagnostic diagnostic={diagnostic} />
            </li>
          ))}
        </ol>
      </Card>
      {data && <Checklist {...data} />}
    </aside>
  );
}

const severities = ['error', 'warning', 'info'] as const;

/** Sorts errors first, because they prevent publishing. Keeps problems of the same severity in reading order. */
const bySeverity = (diagnostics: readonly DiagnosticResource[]): DiagnosticResource[] =>
  severities.flatMap((severity) => diagnostics.filter((one) => one.severity === severity));

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

function Diagnostic({ diagnostic: { range, ...rest } }: { diagnostic: DiagnosticResource }): JSX.Element {
  return <Problem problem={{ ...rest, ...range?.start }} />;
}

const verdicts = {
  fail: { tone: 'bad', text: 'Fail' },
  warn: { tone: 'warn', text: 'Warning' },
  review: { tone: 'calm', text: 'Review' },
  skipped: { tone: 'calm', text: 'Skipped' },
  pass: { tone: 'ok', text: 'Pass' },
} as const;

/** Lists the checks that found no problems. */
function Checklist({ checks, diagnostics }: Omit<ListingResource, 'summary'>): JSX.Element {
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
    <li class="finding">
      <p class="row">
        <span class="grow check-id">{id}</span>
        <Status tone={tone}>{text}</Status>
      </p>
      <p class="small quiet wrap-anywhere">{evidence}</p>
      {help !== undefined && verdict !== 'pass' && <p class="small wrap-anywhere">{help}</p>}
    </li>
  );
}
