import type { PlatformEvent, RuntimeEnvironment } from '../../src/runtime/index.js';
import { environment } from './environment.js';

/** An event as the platform sends it. The helper fills in the ids. */
export type PartialEvent = { type: string } & Record<string, unknown>;

/** Builds `POST /v1` by hand, without our own encoder. */
export function envelopeRequest(
  event: PartialEvent | PlatformEvent,
  options: { environment?: RuntimeEnvironment; body?: string | Uint8Array; path?: string } = {},
): Request {
  const whole = Object.assign({ eventId: 'evt_1', installationId: 'ins_1' }, event);
  const parts = [
    text('event', JSON.stringify(whole)),
    text('environment', JSON.stringify(options.environment ?? environment())),
  ];
  if (options.body !== undefined) {
    const head = 'Content-Disposition: form-data; name="fetch-body"; filename="body"\r\n';
    parts.push(
      Buffer.concat([
        Buffer.from(`--XX\r\n${head}Content-Type: application/octet-stream\r\n\r\n`),
        Buffer.from(options.body),
        Buffer.from('\r\n'),
      ]),
    );
  }
  return new Request(`http://script.internal${options.path ?? '/v1'}`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=XX' },
    body: Buffer.concat([...parts, Buffer.from('--XX--\r\n')]),
  });
}

const text = (name: string, value: string): Buffer =>
  Buffer.from(`--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);

/** Describes a response in one line. */
export async function summary(response: Response): Promise<[number, string]> {
  return [response.status, await response.text()];
}
