import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { packDrafts } from '../api/carried-drafts.js';
import { undelivered } from '../live/preferences.js';
import { readLink } from '../api/session-key.js';
import { Command } from '../ui/command.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/form/field.js';
import { Icon } from '../ui/icon.js';

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

/** Opens the view of this tab in another session, with the drafts that the last one did not store. */
export function continueIn(link: { origin: string; key: string }): void {
  // At the same address, only a different query loads the page again. Its first page may clear what is stored there, so
  // everything is in the fragment.
  const query = link.origin === location.origin ? `?${Date.now()}` : '';
  location.href = `${link.origin}${location.pathname}${query}#key=${link.key}${packDrafts(undelivered())}`;
}

export function LinkForm(): JSX.Element {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const open = (): void => {
    const link = readLink(typed);
    if (link) continueIn(link);
    else setError("This isn't a console link. Console links look like http://127.83.12.201:50123/#key=…");
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
