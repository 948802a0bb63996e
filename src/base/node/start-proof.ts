import { createHmac } from 'node:crypto';

/** Proves that a platform knows the key of the current session, without sending the key. */
export const startProof = (key: string, nonce: string): string =>
  createHmac('sha256', key).update(`platform start ${nonce}`).digest('hex');
