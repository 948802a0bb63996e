import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { createComponentHost } from '../blocks/component-host.js';
import { onLive } from '../live/live-stream.js';
import type { Installed } from '../live/where-installed.js';
import { createComponentSession } from '../markup/component-session.js';
import { ComponentView } from '../markup/component-view.js';
import { Button } from '../ui/button.js';
import { useCell } from '../ui/state/observable-cell.js';
import { isDark } from '../shell/theme.js';

/** The screen that an integration renders in place of the form. */
export function ConfigurationComponent(props: { configured: Installed; component: string }): JSX.Element {
  const { configured, component } = props;
  const { target, endpoint } = configured;
  const host = useMemo(
    () =>
      createComponentHost({
        target,
        endpoint,
        context: () => ({ type: 'configuration', theme: isDark() ? 'dark' : 'light', editable: true }),
      }),
    [JSON.stringify(target), endpoint],
  );
  const [round, setRound] = useState(0);
  const session = useMemo(
    () =>
      createComponentSession({
        component,
        props: { [propName(configured)]: describe(configured) },
        render: host.render,
        openUrl: host.openUrl,
        now: host.now,
      }),
    [component, host, round],
  );
  useEffect(() => {
    void session.redraw();
    return onLive((event) => {
      if (event.type === 'reloaded') void session.redraw();
    });
  }, [session]);
  // Passes the stored values to the component again after each change.
  const stored = JSON.stringify(describe(configured));
  useEffect(() => {
    const { props: before, phase } = session.view.get();
    if (phase === 'ready')
      void session.redraw({ props: { ...before, [propName(configured)]: describe(configured) } });
  }, [stored]);
  const { phase } = useCell(session.view);
  return (
    <div class="stack">
      <ComponentView session={session} host={host} />
      {phase === 'complete' && (
        <div>
          <Button onPress={() => setRound(round + 1)}>Open it again</Button>
        </div>
      )}
    </div>
  );
}

const propName = ({ kind }: Installed): string =>
  kind === 'organization' ? 'installation' : `${kind}Installation`;

const describe = ({ status, configuration, externalIds }: Installed): object => ({
  status,
  configuration,
  externalIds,
});
