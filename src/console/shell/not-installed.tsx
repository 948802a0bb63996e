import type { JSX } from 'preact';
import { go } from './navigation.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import type { IconName } from '../ui/icon.js';

/** Explains why an installation is needed, and links to the installations. */
export function NotInstalled(props: {
  icon: IconName;
  title?: string | undefined;
  because: string;
}): JSX.Element {
  const { icon, title = 'Not installed', because } = props;
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        <Button kind="primary" onPress={() => go({ view: 'overview' })}>
          Go to installations
        </Button>
      }
    >
      <p>{because} Install the integration first.</p>
    </EmptyState>
  );
}
