import type { RecordedCall, Recording } from './recording.js';

/** Renders one value per line, with keys in a fixed order, so that diffs are small. */
export function renderRecording({ $schema, ...recording }: Recording): string {
  const { version, integration, platform, at, secrets, calls } = recording;
  const ordered = {
    ...($schema !== undefined && { $schema }),
    version,
    integration,
    platform,
    at,
    secrets,
    calls: calls.map(orderCall),
  };
  return `${JSON.stringify(ordered, undefined, 2)}\n`;
}

const keys = [
  'name',
  'after',
  'stored',
  'event',
  'body',
  'outbound',
  'response',
  'failure',
  'rejected',
  'unrepeatable',
] as const satisfies (keyof RecordedCall)[];

const orderCall = (call: RecordedCall): object =>
  Object.fromEntries(keys.flatMap((key) => (call[key] === undefined ? [] : [[key, call[key]]])));
