import { createProcessIo } from './context/io.js';
import { platform } from './commands/index.js';
import { runCli } from './run-cli.js';

export const main = (argv: string[]): Promise<number> => runCli(argv, createProcessIo(), platform);
