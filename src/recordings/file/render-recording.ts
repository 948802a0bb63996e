import { BODY, mapBodies } from './shared-bodies.js';
import type { RecordedBody, RecordedCall, Recording } from './recording.js';

const LARGE = 4096;
const WIDE = 120;

/**
 * Renders one value per line, with keys in a fixed order, so that diffs are small. Large bodies are rendered more compactly,
 * and only once if they occur several times.
 */
export function renderRecording({ $schema, ...recording }: Recording): string {
  const { version, integration, platform, environment, at, secrets } = recording;
  const bodies = new Map<string, { body: RecordedBody; count: number }>();
  const count = (body: RecordedBody): RecordedBody => {
    const text = JSON.stringify(body);
    if (text.length >= LARGE) bodies.set(text, { body, count: (bodies.get(text)?.count ?? 0) + 1 });
    return body;
  };
  recording.calls.forEach((call) => mapBodies(call, count));
  const shared = version === 1 ? [] : [...bodies].filter(([, body]) => body.count > 1);
  const names = new Map(shared.map(([text], index) => [text, String(index + 1)]));
  const large: string[] = [];
  const everything = JSON.stringify(recording);
  let placeholder = 'large body ';
  while (everything.includes(placeholder)) placeholder += '-';
  const write = (body: RecordedBody): RecordedBody => {
    const text = JSON.stringify(body);
    const name = names.get(text);
    if (name !== undefined) return { [BODY]: name };
    if (text.length < LARGE || typeof body === 'string' || version === 1) return body;
    large.push(text);
    return `${placeholder}${large.length - 1}`;
  };
  const calls = recording.calls.map((call) => orderCall(mapBodies(call, write)));
  names.clear();
  const ordered = {
    ...($schema !== undefined && { $schema }),
    version,
    integration,
    platform,
    ...(environment !== undefined && { environment }),
    at,
    secrets,
    calls,
    ...(shared.length > 0 && {
      bodies: Object.fromEntries(shared.map(([, { body }], index) => [index + 1, write(body)])),
    }),
  };
  const text = JSON.stringify(ordered, undefined, 2);
  const whole = text.replaceAll(
    new RegExp(`^( *)(.*)"${placeholder}(\\d+)"`, 'gm'),
    (_, indent: string, before: string, index: string) =>
      indent + before + renderCompact(JSON.parse(large[Number(index)] ?? 'null'), indent.length),
  );
  return `${whole}\n`;
}

/** Puts values that are short enough on a single line. */
function renderCompact(value: unknown, indent: number): string {
  const text = JSON.stringify(value);
  if (text.length + indent <= WIDE || typeof value !== 'object' || value === null) return text;
  const space = ' '.repeat(indent + 2);
  const lines = Array.isArray(value)
    ? value.map((inner) => space + renderCompact(inner, indent + 2))
    : Object.entries(value).map(
        ([name, inner]) => `${space}${JSON.stringify(name)}: ${renderCompact(inner, indent + 2)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${' '.repeat(indent)}${close}`;
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
