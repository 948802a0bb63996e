import type { JSX } from 'preact';
import type { InstallationStatus } from '../../../protocol/environment.js';
import { Status } from '../status.js';

const looks = {
  active: { tone: 'ok', text: 'Active' },
  pending: { tone: 'warn', text: 'Pending' },
  paused: { tone: 'calm', text: 'Paused' },
} as const;

export function InstallationStatusView({ status }: { status: InstallationStatus }): JSX.Element {
  const { tone, text } = looks[status];
  return (
    <Status tone={tone} live>
      {text}
    </Status>
  );
}
