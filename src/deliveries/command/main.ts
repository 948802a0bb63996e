import { createProcessIo } from '../../cli/context/io.js';
import { runCli } from '../../cli/run-cli.js';
import { platformWebhooks } from './program.js';

export const main = (argv: string[]): Promise<number> => runCli(argv, createProcessIo(), platformWebhooks);
