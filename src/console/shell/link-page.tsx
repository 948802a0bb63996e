import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { keepCarried, packDrafts } from '../api/carried-drafts.js';
import { sessionEnd } from '../api/session-state.js';
import { undelivered } from '../live/preferences.js';
import { keepKey, readLink } from '../api/session-key.js';
import { Command } from '../ui/command.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/form/field.js';
import { Icon } from '../ui/icon.js';
import { formatTime } from '../text/format.js';
import { useCell } from '../ui/state/observable-cell.js';
import type { View } from '../../protocol/console-views.js';

const texts = {
  'no-key': {
    title: 'Open the console with its link',
    text: (
      <>
        This tab has no key. The link in the terminal contains a key, which is new each time{' '}
        <code>platform dev</code> starts.
      </>
    ),
  },
  refused: {
    title: 'This session has ended',
    text: (
      <>
        <code>platform dev</code> was restarted. The new session has a new link.
      </>
    ),
  },
};

/** Shown instead of the console in a tab that has no valid key. */
export function LinkPage({ reason }: { reason: keyof typeof texts }): JSX.Element {
  const { title, text } = texts[reason];
  document.title = title;
  return (
    <main class="stack link-page">
      <span class="tile card empty-icon">
        <Icon name="key" size={20} />
      </span>
      <h1>{title}</h1>
      <p>{text}</p>
      <WaysToOpen />
      <LinkForm />
    </main>
  );
}

/** Shown when the platform has stopped or restarted. The tab's content stays visible, so that the user can copy it. */
export function EndedNotice({ view }: { view: View }): JSX.Element {
  const end = useCell(sessionEnd);
  return (
    <section class="ended-notice" role="alert" aria-label="This session has ended">
      <Icon name="warning" />
      <div class="ended-ways">
        <p>
          <strong>This session has ended.</strong>{' '}
          {end && (
            <>
              <code>platform dev</code> {end.restarted ? 'was restarted' : 'stopped responding'} at{' '}
              {formatTime(end.time)}.{' '}
            </>
          )}
          Drafts are kept.
        </p>
        <div class="ended-command">
          <p>
            {end?.restarted === false ? (
              <>
                Start <code>platform dev</code> again, then press <kbd>b</kbd> or run
              </>
            ) : (
              <>
                Press <kbd>b</kbd> where <code>platform dev</code> runs, or run
              </>
            )}
          </p>
          <Command text={`platform open ${view}`} />
        </div>
        <LinkForm />
      </div>
    </section>
  );
}

/** Returns the command that opens the call that this tab was opened for. */
function openCommand(): string {
  const [call] = /calls\/call_\w+$/.exec(location.pathname) ?? [];
  const [integration] = /^[\w-]+$/.exec(new URLSearchParams(location.search).get('integration') ?? '') ?? [];
  return ['platform open', call, integration && `--integration ${integration}`].filter(Boolean).join(' ');
}

function WaysToOpen(): JSX.Element {
  return (
    <ul class="ways-to-open">
      <li>
        Press <kbd>b</kbd> in the terminal where <code>platform dev</code> runs.
      </li>
      <li>
        In any other terminal, run this in the integration's folder. With <code>--print</code>, it prints the
        link.
        <Command text={openCommand()} />
      </li>
      <li>
        In a tab where the console is open, press <em>Open in a new tab</em> or Ctrl-click a link.
      </li>
    </ul>
  );
}

function LinkForm(): JSX.Element {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const open = (): void => {
    const link = readLink(typed);
    if (!link) {
      setError("This isn't a console link. Console links look like http://127.83.12.201:50123/#key=…");
    } else {
      const fragment = `#key=${link.key}${packDrafts(undelivered())}`;
      if (link.origin === location.origin) {
        keepKey(link.key);
        keepCarried(fragment);
        location.reload();
      } else location.href = `${link.origin}${location.pathname}${fragment}`;
    }
  };
  return (
    <form
      class="link-form"
      onSubmit={(event) => {
        event.preventDefault();
        open();
      }}
    >
      <Field label="Link from the terminal" error={error}>
        {(ids) => (
          <input
            {...ids}
            class="control mono"
            autocomplete="off"
            spellcheck={false}
            placeholder="http://127.83.12.201:50123/#key=…"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </Field>
      <Button submit kind="primary">
        Continue
      </Button>
    </form>
  );
}
