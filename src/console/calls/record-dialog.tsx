import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { errorMessage } from '../../base/text/error-message.js';
import type { CallLine } from '../../contract/routes/calls.js';
import type { RecordingResource } from '../../contract/routes/recordings.js';
import { api, codeOf } from '../api/fetch-api.js';
import { callList } from '../live/call-list.js';
import { useResource } from '../live/use-resource.js';
import { formatTime } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { Button } from '../ui/button.js';
import { Command } from '../ui/command.js';
import { Dialog } from '../ui/dialog.js';
import { Field } from '../ui/form/field.js';
import { Icon } from '../ui/icon.js';
import { useCell } from '../ui/state/observable-cell.js';
import { Status } from '../ui/status.js';
import { describeLine, outcomeWords } from './detail/describe-call.js';

/** A recording with more calls than this would be hard to review. */
const mostListed = 50;

interface RecordDialogProps {
  /** The calls that are selected when the dialog is opened. */
  calls: readonly string[];
  onClose: () => void;
}

/** Saves calls to a file that `platform replay` and tests can replay. */
export function RecordDialog({ calls, onClose }: RecordDialogProps): JSX.Element {
  const [chosen, setChosen] = useState(calls);
  const [name, setName] = useState('');
  const [redact, setRedact] = useState('');
  const [saved, setSaved] = useState<RecordingResource>();
  const [failure, setFailure] = useState<{ message: string; code: string | undefined }>();
  const [busy, setBusy] = useState(false);
  const exists = failure?.code === 'file-exists';
  const record = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    const fields = redact.split(',').flatMap((field) => field.trim() || []);
    try {
      const input = {
        calls: [...chosen],
        ...(name.trim() !== '' && { name: name.trim() }),
        ...(fields.length > 0 && { redact: fields }),
        replace: exists,
      };
      setSaved(await api('POST /recordings', input));
    } catch (error) {
      setFailure({ message: errorMessage(error), code: codeOf(error) });
    } finally {
      setBusy(false);
    }
  };
  if (saved) return <SavedDialog saved={saved} onClose={onClose} />;
  return (
    <Dialog
      title="Record calls"
      subtitle="A test that runs without a network"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" busy={busy} disabled={chosen.length === 0} onPress={() => void record()}>
            {exists
              ? 'Replace the file'
              : `Record ${chosen.length} ${chosen.length === 1 ? 'call' : 'calls'}`}
          </Button>
        </>
      }
    >
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && chosen.length > 0) void record();
        }}
      >
        <Field label="Name" hint="The file is recordings/<name>.json. Default: derived from the first call.">
          {(ids) => (
            <input
              {...ids}
              class="control"
              maxLength={100}
              value={name}
              onInput={(event) => {
                setName(event.currentTarget.value);
                setFailure(undefined);
              }}
            />
          )}
        </Field>
        <Field
          label="Fields to replace"
          hint="Paths of fields with private data, separated by commas, such as event.props.user. Secrets are always replaced."
        >
          {(ids) => (
            <input
              {...ids}
              class="control mono"
              value={redact}
              onInput={(event) => setRedact(event.currentTarget.value)}
            />
          )}
        </Field>
        {failure && (
          <div class="notice bad" role="alert">
            <Icon name="error" />
            <div>{showControls(failure.message)}</div>
          </div>
        )}
        <CallTicks chosen={chosen} first={calls} onChange={setChosen} />
      </form>
    </Dialog>
  );
}

interface CallTicksProps {
  chosen: readonly string[];
  first: readonly string[];
  onChange: (chosen: string[]) => void;
}

function CallTicks({ chosen, first, onChange }: CallTicksProps): JSX.Element {
  const { lines } = useCell(callList.view);
  const ids = first.join();
  // The list may be filtered, or too long to contain these calls.
  const { data = [] } = useResource(
    `calls ${ids}`,
    async () => (ids === '' ? [] : api('GET /calls', { ids })),
    () => false,
  );
  const others = lines.filter((line) => isRecordable(line) && !first.includes(line.id));
  const row = (line: CallLine): JSX.Element => {
    const { id, time } = line;
    const { tone, text } = outcomeWords(line);
    const { title, detail } = describeLine(line);
    return (
      <label key={id} class="tick-row">
        <input
          type="checkbox"
          class="tick"
          checked={chosen.includes(id)}
          onChange={(event) =>
            onChange(event.currentTarget.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
          }
        />
        <span class="cut grow">
          <span class="mono">{showControls(title)}</span> <span class="quiet">{showControls(detail)}</span>
        </span>
        <Status tone={tone}>{text}</Status>
        <span class="quiet number small">{formatTime(time)}</span>
      </label>
    );
  };
  return (
    <fieldset class="ticks">
      <legend class="field-label">
        {first.length > 0 ? 'This call, and others' : 'Calls'}, newest first
      </legend>
      {[...data, ...others.slice(0, mostListed)].map(row)}
    </fieldset>
  );
}

/** Only calls that have an event can be replayed. */
const isRecordable = ({ outcome, type }: CallLine): boolean =>
  outcome !== 'running' && type !== 'script' && type !== 'envelope';

function SavedDialog({ saved, onClose }: { saved: RecordingResource; onClose: () => void }): JSX.Element {
  const { file, calls, facts } = saved;
  return (
    <Dialog
      title={calls.length === 1 ? 'Recorded 1 call' : `Recorded ${calls.length} calls`}
      subtitle={file}
      onClose={onClose}
      footer={
        <Button kind="primary" autofocus onPress={onClose}>
          Close
        </Button>
      }
    >
      <div class="stack">
        {facts.map(({ title, lines, warn }) => (
          <div key={title} class={warn ? 'notice warn' : 'notice'} role="note">
            <Icon name={warn ? 'warning' : 'info'} />
            <div>
              <p>{showControls(title)}</p>
              {lines.map((line) => (
                <p key={line} class="small mono wrap-anywhere">
                  {showControls(line)}
                </p>
              ))}
            </div>
          </div>
        ))}
        <p>
          Review the file before you share it. It may still contain secrets that only you can recognize. To
          replay it, run:
        </p>
        <Command text={`platform replay ${file}`} />
      </div>
    </Dialog>
  );
}
