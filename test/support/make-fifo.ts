import { execFileSync } from 'node:child_process';

/** Creates a FIFO without a writer, so opening it for reading blocks forever. */
export const makeFifo = (path: string): void => void execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
