import type { JSX } from 'preact';
import { hiddenSecret } from '../../protocol/mask-secrets.js';
import type { ReplayResource } from '../../contract/routes/events.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Failure } from '../text/code/failure.js';
import { Icon } from '../ui/icon.js';
import { Comparison } from './detail/comparison.js';

interface ReplayDiffProps {
  /** The call that was replayed. */
  of: string;
  replay: ReplayResource;
  onClose: () => void;
  onOpen: (call: string) => void;
}

/** Compares the recorded call with the new one. */
export function ReplayDiff({ of, replay, onClose, onOpen }: ReplayDiffProps): JSX.Element {
  const { call, same, masked, failure } = replay;
  return (
    <Dialog
      title={same ? 'Same response' : 'The response changed'}
      subtitle="The same event, sent to the current code"
      size="xlarge"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Close</Button>
          <Button kind="primary" onPress={() => onOpen(call)}>
            Open the new call
          </Button>
        </>
      }
    >
      <div class="stack">
        {masked && (
          <div class="notice warn" role="note">
            <Icon name="warning" />
            <div>Secrets in the recorded request are masked, so they were sent as {hiddenSecret}.</div>
          </div>
        )}
        {failure && <Failure failure={failure} />}
        <Comparison before={of} after={call} />
      </div>
    </Dialog>
  );
}
