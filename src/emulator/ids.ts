import { randomBytes } from 'node:crypto';

/** Short enough to be typed after `platform inspect`. */
export const newId = (kind: string): string => `${kind}_${randomBytes(6).toString('hex')}`;

/** 192 bits that nobody can guess. */
export const newSecret = (kind: string): string => `${kind}_${randomBytes(24).toString('base64url')}`;
