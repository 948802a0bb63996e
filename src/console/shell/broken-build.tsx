import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { whatBroke } from '../../protocol/build-report.js';
import { usePreference } from '../live/preferences.js';
import { Icon } from '../ui/icon.js';
import { formatTimeOrDate } from '../text/format.js';
import { Problem } from '../text/problem.js';
import { GoLink } from './navigation.js';
import type { View } from '../../protocol/console-views.js';

/** The banner for a broken build. Every view shows it except the overview, which lists all problems in a card. */
export function BrokenBuild({
  platform,
  view,
}: {
  platform: PlatformResource;
  view: View;
}): JSX.Element | null {
  const { lastBuild, version } = platform;
  const [folded, setFolded] = usePreference('build problems folded', false);
  const id = useId();
  if (!lastBuild || lastBuild.ok || view === 'overview') return null;
  const errors = lastBuild.problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  return (
    <section class="stack tight broken-build" role="alert" aria-label="Broken build">
      <p class="row">
        <Icon name="error" /> <strong>{whatBroke(lastBuild)}.</strong>{' '}
        <span>
          Saved at {formatTimeOrDate(lastBuild.time, Date.now())}.{' '}
          {view === 'blocks' ? `The blocks show version ${version}.` : `Version ${version} is still running.`}
        </span>
        <span class="grow" />
        <button
          type="button"
          class="button small quiet"
          aria-expanded={!folded}
          aria-controls={id}
          onClick={() => setFolded(!folded)}
        >
          {folded ? 'Show the problem' : 'Hide the problem'}
        </button>
      </p>
      <div id={id} hidden={folded}>
        {first && <Problem problem={first} />}
        {errors.length > 1 && (
          <GoLink to={{ view: 'overview' }}>
            {errors.length === 2 ? '1 more problem' : `${errors.length - 1} more problems`}
          </GoLink>
        )}
      </div>
    </section>
  );
}
