import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { errorMessage } from '../../base/text/error-message.js';
import { recordingName } from '../../base/text/recording-name.js';
import type { CallLine } from '../../contract/routes/calls.js';
import type { RecordingResource } from '../../contract/routes/recordings.js';
import { apiFilter, formatFilter, withFilter } from '../api/call-filter.js';
import { api, codeOf } from '../api/fetch-api.js';
import { parseTypedFilter } from '../api/typed-filter.js';
import { useResource } from '../live/use-resource.js';
import { formatTime } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { Button } from '../ui/button.js';
import { Command } from '../ui/command.js';
import { Dialog } from '../ui/dialog.js';
import { Field } from '../ui/form/field.js';
import { Icon } from '../ui/icon.js';
import { Status } from '../ui/status.js';
import { describeLine, outcomeWords } from './detail/describe-call.js';
import { TypedInput } from './typed-input.js';

interface RecordDialogProps {
  calls: readonly string[];
  onClose: () => void;
}

/** Saves calls to a file that `platform replay` and tests can replay. */
export function RecordDialog({ calls, onClose }: RecordDialogProps): JSX.Element {
  const first = useLines(calls);
  /** The selected calls that are not in `calls`. */
  const [others, setOthers] = useState<readonly CallLine[]>([]);
  const [unticked, setUnticked] = useState<readonly string[]>([]);
  const [typedName, setName] = useState<string>();
  const [redact, setRedact] = useState('');
  const [saved, setSaved] = useState<RecordingResource>();
  const [failure, setFailure] = useState<{ message: string; code: string | undefined }>();
  const [busy, setBusy] = useState(false);
  const exists = failure?.code === 'file-exists';
  const differs = failure?.code === 'recording-differs';
  const lines = [...first.filter(({ id }) => !unticked.includes(id)), ...others];
  const chosen = [...calls.filter((id) => !unticked.includes(id)), ...others.map(({ id }) => id)];
  const name = typedName ?? proposedName(lines);
  const record = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    const fields = redact.split(',').flatMap((field) => field.trim() || []);
    try {
      const input = {
        calls: chosen,
        ...(name.trim() !== '' && { name: name.trim() }),
        ...(fields.length > 0 && { redact: fields }),
        replace: exists || differs,
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
      subtitle="As a test that runs without a network"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" busy={busy} disabled={chosen.length === 0} onPress={() => void record()}>
            {exists
              ? 'Replace the file'
              : differs
                ? 'Record anyway'
                : `Record ${chosen.length} ${chosen.length === 1 ? 'call' : 'calls'}`}
          </Button>
        </>
      }
    >
      <div class="stack">
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy && chosen.length > 0) void record();
          }}
        >
          <Field label="Name" hint={<WhatNext name={name.trim()} />}>
            {(ids) => (
              <input
                {...ids}
                class="control mono"
                maxLength={100}
                value={name}
                onInput={(event) => {
                  setName(event.currentTarget.value);
                  setFailure(undefined);
                }}
              />
            )}
          </Field>
          {failure && (
            <div class="notice bad" role="alert">
              <Icon name="error" />
              <div>{showControls(failure.message)}</div>
            </div>
          )}
          {first.length > 0 && (
            <fieldset class="stack tight ticks">
              <legend class="field-label">{first.length === 1 ? 'This call' : 'These calls'}</legend>
              {first.map((line) => (
                <TickRow
                  key={line.id}
                  line={line}
                  ticked={!unticked.includes(line.id)}
                  onTick={(ticked) =>
                    setUnticked(ticked ? unticked.filter((id) => id !== line.id) : [...unticked, line.id])
                  }
                />
              ))}
            </fieldset>
          )}
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
          {/* Lets Enter in a field submit the form. The visible button is below, outside the form. */}
          <button type="submit" hidden />
        </form>
        <OtherCalls without={calls} ticked={others} onChange={setOthers} />
      </div>
    </Dialog>
  );
}

const WhatNext = ({ name }: { name: string }): JSX.Element =>
  name === '' ? (
    <>Select the calls to record.</>
  ) : (
    <>
      File: <code class="wrap-anywhere">recordings/{name.replace(/\.json$/, '')}.json</code>. To run all
      recordings as tests: <code class="nowrap">npx platform replay recordings/</code>
    </>
  );

/** The same name that `platform record` would choose. */
function proposedName(lines: readonly CallLine[]): string {
  const [earliest] = [...lines].sort((one, other) => one.time - other.time);
  if (!earliest) return '';
  const { id, type, method, url, component, subject } = earliest;
  return recordingName({
    id,
    type,
    request: method !== undefined && url !== undefined ? { method, url } : undefined,
    part: type === 'task' ? subject : component,
  });
}

/** The calls may be too old to be in the list. */
function useLines(calls: readonly string[]): CallLine[] {
  const ids = calls.join();
  const { data = [] } = useResource(
    `calls ${ids}`,
    async () => (ids === '' ? [] : api('GET /calls', { ids })),
    () => false,
  );
  return data;
}

/** Recordings with more calls are hard to review. */
const mostListed = 50;

interface OtherCallsProps {
  /** The ids of calls listed elsewhere. */
  without: readonly string[];
  ticked: readonly CallLine[];
  onChange: (ticked: readonly CallLine[]) => void;
}

/** The newest calls, and a search for older ones. Selected calls stay in the list even if they do not match. */
function OtherCalls({ without, ticked, onChange }: OtherCallsProps): JSX.Element {
  const [typed, setTyped] = useState('');
  const [failed, setFailed] = useState(false);
  const filter = withFilter(parseTypedFilter(typed), failed ? { failed: 'true' } : {});
  const { data } = useResource(
    `recordable calls ${formatFilter(filter)}`,
    () => api('GET /calls', { ...apiFilter(filter), limit: mostListed }),
    () => false,
  );
  // Keeps the previous results visible during a search.
  const found = useRef<readonly CallLine[]>([]);
  found.current = data ?? found.current;
  const ids = ticked.map(({ id }) => id);
  const matches = found.current.filter(
    (line) => isRecordable(line) && !without.includes(line.id) && !ids.includes(line.id),
  );
  const rows = [...ticked, ...matches].sort((one, other) => other.time - one.time);
  return (
    <fieldset class="stack tight ticks">
      <legend class="field-label">{without.length > 0 ? 'Other calls' : 'Calls'}</legend>
      <div class="bar record-search">
        <label class="bar search grow">
          <Icon name="search" />
          <span class="only-read-aloud">Search the calls</span>
          <TypedInput
            name="record-search"
            placeholder="Search, or status:5xx"
            value={typed}
            onType={setTyped}
          />
        </label>
        <Button pressed={failed} onPress={() => setFailed(!failed)}>
          Failed
        </Button>
      </div>
      {rows.map((line) => (
        <TickRow
          key={line.id}
          line={line}
          ticked={ids.includes(line.id)}
          onTick={(now) => onChange(now ? [...ticked, line] : ticked.filter(({ id }) => id !== line.id))}
        />
      ))}
      {data && rows.length === 0 && <p class="quiet">No calls match.</p>}
      {found.current.length === mostListed && (
        <p class="quiet small">These are the {mostListed} newest. Search to find older ones.</p>
      )}
    </fieldset>
  );
}

interface TickRowProps {
  line: CallLine;
  ticked: boolean;
  onTick: (ticked: boolean) => void;
}

function TickRow({ line, ticked, onTick }: TickRowProps): JSX.Element {
  const { tone, text } = outcomeWords(line);
  const { title, detail } = describeLine(line);
  return (
    <label class="bar">
      <input
        type="checkbox"
        class="tick"
        checked={ticked}
        onChange={(event) => onTick(event.currentTarget.checked)}
      />
      <span class="grow clamp">
        <span class="wrap-anywhere">{showControls(title)}</span>{' '}
        {detail !== line.type && <span class="quiet small wrap-anywhere">{showControls(detail)}</span>}
      </span>
      {/* Only a problem stands out. */}
      {tone === 'ok' || tone === 'calm' ? (
        <span class="quiet number small">{text}</span>
      ) : (
        <Status tone={tone}>{text}</Status>
      )}
      <span class="quiet number small">{formatTime(line.time)}</span>
    </label>
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
          <div key={title} class={warn ? 'notice warn' : 'notice info'} role="note">
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
        <p>To see whether the script still responds in the same way, run:</p>
        <Command text={`platform replay ${file}`} />
        <p class="quiet">
          Review the file before you share it. It may still contain secrets that only you can recognize.
        </p>
      </div>
    </Dialog>
  );
}
