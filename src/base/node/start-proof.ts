import { createHmac } from 'node:crypto';

/** Returns a proof that the platform knows the session's key. The proof does not reveal the key. */
export const startProof = (key: string, nonce: string): string =>
  createHmac('sha256', key).update(`platform start ${nonce}`).digest('hex');
