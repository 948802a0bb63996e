import { UserError } from '../../../base/user-error.js';

/** Throws where nothing could be sent to. */
export function checkAddress(text: string): void {
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol === 'http:' || protocol === 'https:') return;
  throw new UserError(
    'bad-url',
    `"${text}" is not an http or https address.`,
    'Write it whole, such as http://127.0.0.1:3000/webhook',
  );
}
