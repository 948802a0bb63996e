import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { createComponentPlace } from '../blocks/component-target.js';
import { onLive } from '../live/live-stream.js';
import type { Placed } from '../live/where-installed.js';
import { createComponentSession } from '../markup/component-session.js';
import { ComponentView } from '../markup/component-view.js';
import { Button } from '../ui/button.js';
import { useCell } from '../ui/state/observable-cell.js';
import { isDark } from '../shell/theme.js';

interface ConfigurationComponentProps {
  configured: Placed;
  component: string;
}

/** The screen that the integration renders instead of the form. */
export function ConfigurationComponent(props: ConfigurationComponentProps): JSX.Element {
  const { configured, component } = props;
  const { place: where, endpoint } = configured;
  const place = useMemo(
    () =>
      createComponentPlace({
        place: where,
        endpoint,
        context: () => ({ type: 'configuration', theme: isDark() ? 'dark' : 'light', editable: true }),
      }),
    [JSON.stringify(where), endpoint],
  );
  const [round, setRound] = useState(0);
  const session = useMemo(
    () =>
      createComponentSession({
        component,
        props: { [propName(configured)]: describe(configured) },
        render: place.render,
        openUrl: place.openUrl,
        now: place.now,
      }),
    [component, place, round],
  );
  useEffect(() => {
    void session.redraw();
    return onLive((event) => {
      if (event.type === 'reloaded') void session.redraw();
    });
  }, [session]);
  // The component gets the stored values again after each change.
  const stored = JSON.stringify(describe(configured));
  useEffect(() => {
    const { props: before, phase } = session.view.get();
    if (phase === 'ready')
      void session.redraw({ props: { ...before, [propName(configured)]: describe(configured) } });
  }, [stored]);
  const { phase } = useCell(session.view);
  return (
    <div class="stack">
      <ComponentView session={session} place={place} />
      {phase === 'complete' && (
        <div>
          <Button onPress={() => setRound(round + 1)}>Open it again</Button>
        </div>
      )}
    </div>
  );
}

const propName = ({ kind }: Placed): string =>
  kind === 'organization' ? 'installation' : `${kind}Installation`;

const describe = ({ status, configuration, externalIds }: Placed): object => ({
  status,
  configuration,
  externalIds,
});
