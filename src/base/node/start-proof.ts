import { createHmac } from 'node:crypto';

/** Returns proof that the platform knows the session's key, without revealing the key. */
export const startProof = (key: string, nonce: string): string =>
  createHmac('sha256', key).update(`platform start ${nonce}`).digest('hex');
