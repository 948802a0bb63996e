import { randomBytes } from 'node:crypto';

/** Short enough to be typed after `platform inspect`. */
export const newId = (kind: string): string => `${kind}_${takeRandom(6).toString('hex')}`;

/** 192 bits that nobody can guess. */
export const newSecret = (kind: string): string => `${kind}_${randomBytes(24).toString('base64url')}`;

let pool = Buffer.alloc(0);
let taken = 0;

/** Random bytes are cheap in bulk, and each request takes some. */
function takeRandom(bytes: number): Buffer {
  if (taken + bytes > pool.length) {
    pool = randomBytes(4096);
    taken = 0;
  }
  taken += bytes;
  return pool.subarray(taken - bytes, taken);
}
