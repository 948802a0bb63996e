import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { connection, sessionEnd, streamSecret } from '../api/session-state.js';
import { nextSession } from '../live/next-session.js';
import { formatTime } from '../text/format.js';
import { Command } from '../ui/command.js';
import { Icon } from '../ui/icon.js';
import { useCell } from '../ui/state/observable-cell.js';
import type { View } from '../../protocol/console-views.js';
import { continueIn, LinkForm } from './link-page.js';

/** Shown when the platform has stopped or restarted. The tab's content stays visible, so that the user can copy it. */
export function EndedNotice({ view, title }: { view: View; title: string | undefined }): JSX.Element {
  const end = useCell(sessionEnd);
  const waits = useCell(connection) === 'ended' && streamSecret.get() !== '';
  useEffect(() => {
    if (waits) void nextSession(streamSecret.get()).then(continueOnceClosed);
  }, [waits]);
  return (
    <section class="ended-notice" role="alert" aria-label="This session has ended">
      <span class="tile ended-mark">
        <Icon name="power" size={18} />
      </span>
      <div class="grow ended-words">
        <h2>This session has ended</h2>
        <p>
          {end && (
            <>
              <code>platform dev</code>
              {title !== undefined && ` of ${title}`} {end.restarted ? 'was restarted' : 'stopped'} at{' '}
              {formatTime(end.time)}.{' '}
            </>
          )}
          Below is what this tab loaded last. Drafts are kept.
        </p>
      </div>
      <div class="ended-command">
        <Command text={end?.restarted ? `platform open ${view}` : 'platform dev'} />
        <p class="bar small quiet" role="status">
          <span class="status-dot waiting" /> This tab continues by itself once the session is back.
        </p>
        <details class="small">
          <summary>Or paste a link</summary>
          <p>
            Press <kbd>b</kbd> where <code>platform dev</code> runs, or run{' '}
            <code>npx platform open {view} --print</code>.
          </p>
          <LinkForm />
        </details>
      </div>
    </section>
  );
}

/** What is typed into a dialog becomes a draft when the dialog is closed. */
function continueOnceClosed(link: { origin: string; key: string }): void {
  if (!document.querySelector('dialog[open]')) return continueIn(link);
  setTimeout(() => continueOnceClosed(link), 300);
}
