import { bytesOf, type Bytes } from './request-bytes.js';
import { envelopeError, largestEnvelope } from './envelope-limits.js';
import type { ExposableError } from '../exposable-error.js';
import { utf8 } from '../../base/hmac.js';

/** How many bytes of a part's headers are parsed. On megabytes of text, the regular expressions would overflow the stack. */
const longestHead = 10_000;

const cutShort = (): ExposableError => envelopeError(400, 'body', 'is cut short');

/** Reads the parts of a `multipart/form-data` request. `limits` contains the maximum size of each part in bytes. */
export const readMultipart = async (
  request: Request,
  limits: Record<string, number>,
): Promise<Map<string, Bytes>> => {
  const type = 'content-type';
  const formData = /^\s*multipart\/form-data\s*(;.*)/i.exec(request.headers.get(type) ?? '');
  const boundary = parameterOf(formData, 'boundary');
  if (!boundary) throw envelopeError(400, type, 'is not multipart/form-data with a boundary');
  // The body may start directly with the first boundary.
  const bytes = await bytesOf(request, largestEnvelope).catch((error: unknown) => {
    throw error instanceof RangeError
      ? envelopeError(413, 'body', `exceeds ${largestEnvelope} bytes`)
      : cutShort();
  });

  const parts = new Map<string, Bytes>();
  let at = 0;
  const readTo = (mark: Bytes): Bytes => {
    const start = at;
    let end = start - 1;
    do {
      end = bytes.indexOf(13, end + 1);
      if (end < 0) throw cutShort();
    } while (mark.some((byte, i) => bytes[end + i] !== byte));
    at = end + mark.length;
    return bytes.subarray(start, end);
  };
  const delimiter = utf8(`\r\n--${boundary}`);
  const endOfHead = utf8('\r\n\r\n');
  readTo(delimiter);
  while (bytes[at] !== 45 || bytes[at + 1] !== 45) {
    const head = new TextDecoder().decode(readTo(endOfHead).subarray(0, longestHead));
    // Matches the header lines of a part. A line that starts with hyphens is a boundary. A part with the encoding base64 or
    // quoted-printable is rejected, because decoding would change its bytes.
    const lines = /^[\t ]*(\r\n(?!--|content-tr\S*:\s*(base|quo))[^\r\n:]+:.*)+$/i;
    const disposition = /\r\ncontent-disposition:\s*form-data\s*(;.*)/i.exec(head);
    const name = parameterOf(disposition, 'name');
    if (!name || !lines.test(head)) {
      throw envelopeError(400, 'body', 'has a nameless or encoded part');
    }
    if (parts.has(name)) throw envelopeError(400, name, 'appears twice');
    const value = readTo(delimiter);
    const limit = limits[name] ?? largestEnvelope;
    if (value.length > limit) throw envelopeError(413, name, `exceeds ${limit} bytes`);
    parts.set(name, value);
  }
  return parts;
};

/** Returns the value of a parameter, as in `; name="event"; filename=x`. Returns undefined unless it occurs exactly once. */
const parameterOf = (match: RegExpExecArray | null, key: string): string | undefined => {
  const values: string[] = [];
  const parameter = /;\s*([^=;\s]+)=("(?:\\.|[^"\\])*"|[^";\s]+)\s*/gy;
  const rest = match?.[1]?.replaceAll(parameter, (_, name: string, value: string) => {
    if (name.toLowerCase() === key) values.push(value.replaceAll('"', ''));
    return '';
  });
  return rest || values.length > 1 ? undefined : values[0];
};
