import type { JSX } from 'preact';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { installIn } from '../live/install-in.js';
import { go } from './navigation.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import type { IconName } from '../ui/icon.js';
import { useAct } from '../ui/run-and-report.js';

/** Explains why an installation is needed, and installs the integration in the first space. */
export function NotInstalled(props: {
  icon: IconName;
  platform: PlatformResource;
  because: string;
}): JSX.Element {
  const { icon, platform, because } = props;
  const { busy, act } = useAct();
  const [space] = platform.spaces;
  return (
    <EmptyState
      icon={icon}
      title="Not installed"
      {...(space && {
        action: (
          <Button
            kind="primary"
            busy={busy}
            onPress={() => act(() => installIn(platform, space.id), 'Installed')}
          >
            Install in {space.title}
          </Button>
        ),
      })}
    >
      <p>{because}</p>
    </EmptyState>
  );
}

/** Shown for a link to an installation that does not exist, while others do. */
export function NotInstalledHere(): JSX.Element {
  return (
    <EmptyState
      icon="configuration"
      title="Not installed here"
      action={
        <Button kind="primary" onPress={() => go({ view: 'overview' })}>
          Go to the overview
        </Button>
      }
    >
      <p>A configuration belongs to an installation.</p>
    </EmptyState>
  );
}
