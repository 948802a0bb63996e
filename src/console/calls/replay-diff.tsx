import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { hiddenSecret } from '../../protocol/mask-secrets.js';
import type { ReplayResource } from '../../contract/routes/events.js';
import { api } from '../api/fetch-api.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Failure } from '../text/code/failure.js';
import { Icon } from '../ui/icon.js';
import { useAct } from '../ui/run-and-report.js';
import { Comparison } from './detail/comparison.js';

interface ReplayDiffProps {
  of: string;
  replay: ReplayResource;
  onClose: () => void;
  onOpen: (call: string) => void;
}

export function ReplayDiff({ of, replay, onClose, onOpen }: ReplayDiffProps): JSX.Element {
  const [{ call, same, masked, failure }, setReplay] = useState(replay);
  const { busy, act } = useAct();
  const again = (): void => act(async () => setReplay(await api('POST /calls/{call}/replay', { call: of })));
  return (
    <Dialog
      title="Replay"
      subtitle="The same event, sent to the current code"
      size="xlarge"
      onClose={onClose}
      footer={
        <>
          <Button icon="replay" autofocus={same} busy={busy} onPress={again}>
            Replay again
          </Button>
          <Button kind={same ? 'secondary' : 'primary'} autofocus={!same} onPress={() => onOpen(call)}>
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
        <Comparison before={of} after={call} showBody />
        {failure && <Failure failure={failure} />}
      </div>
    </Dialog>
  );
}
