import { execFileSync } from 'node:child_process';

/** A FIFO with no writer: opening it to read waits for ever. */
export const makeFifo = (path: string): void => void execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
