import { createProcessIo } from './io.js';
import { runCli } from './run-cli.js';

export const main = (argv: string[]): Promise<number> => runCli(argv, createProcessIo());
