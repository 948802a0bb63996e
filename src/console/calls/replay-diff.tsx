import type { JSX } from 'preact';
import { responseText } from '../../base/text/compare-responses.js';
import { hiddenSecret } from '../../protocol/mask-secrets.js';
import type { AnswerResource, ReplayResource } from '../../contract/routes/events.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Failure } from '../text/code/failure.js';
import { Icon } from '../ui/icon.js';
import { DiffView } from '../text/diff-view.js';

interface ReplayDiffProps {
  replay: ReplayResource;
  onClose: () => void;
  onOpen: (call: string) => void;
}

/** The previous response and the new one. */
export function ReplayDiff({ replay, onClose, onOpen }: ReplayDiffProps): JSX.Element {
  const { before, after, call, same, masked, failure } = replay;
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
            <div>Secrets in the recorded request are hidden, and were sent as {hiddenSecret}.</div>
          </div>
        )}
        {failure && <Failure failure={failure} />}
        <div class="two-columns">
          <Side name="Before" answer={before} />
          <Side name="Now" answer={after} />
        </div>
        <DiffView
          before={responseText(before)}
          after={responseText(after)}
          label="Differences between the responses"
        />
      </div>
    </Dialog>
  );
}

const Side = ({ name, answer }: { name: string; answer: AnswerResource }): JSX.Element => (
  <div class="side">
    <p class="quiet small">
      {name} · version {answer.version}
    </p>
    <p>
      Status <strong>{answer.status}</strong>
    </p>
  </div>
);
