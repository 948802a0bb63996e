import { randomInt } from 'node:crypto';

/** Returns one of 16 million loopback addresses, but never 127.0.0.1. Linux and Windows can listen on all of them. */
export function randomLoopback(): string {
  const rest = randomInt(2, 0xff_ff_ff);
  return `127.${rest >> 16}.${(rest >> 8) & 255}.${rest & 255}`;
}
