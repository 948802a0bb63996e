import { resolve } from 'node:path';
import { UserError } from '../../../../base/user-error.js';
import { wrapText } from '../../../../terminal/wrap-text.js';
import {
  defineCommand,
  fine,
  InvalidValue,
  parseWholeNumber,
  type CommandContext,
  type CommandSpec,
} from '../../../context/command.js';
import { connect } from '../../../session/connect.js';
import { explainSignature, type SignatureVerdict } from './explain-signature.js';
import { needOptions } from '../basics/require-options.js';
import { readRegularFile } from '../../../../base/node/regular-file.js';

interface VerifyOptions {
  secret?: string;
  header?: string;
  tolerance?: number;
}

const verify = defineCommand<VerifyOptions>({
  name: 'verify',
  summary: 'verify the signature of a request, and explain a mismatch',
  arguments: {
    '[file]': 'file with the raw body (default, or "-": standard input), or the id of a recorded call',
  },
  options: {
    '--secret <secret>': 'signing secret',
    '--header <value>': 'value of the X-Platform-Signature header',
    '--tolerance <seconds>': {
      description: 'maximum age of the signature (default: no limit)',
      parse: parseWholeNumber,
    },
  },
  examples: {
    [`platform webhook verify --secret whsec_1 --header 't=1700000000,v1=…' body.json`]:
      'read the body from a file',
    [`platform webhook verify --secret whsec_1 --header 't=1700000000,v1=…' < body.json`]:
      'read the body from standard input',
    'platform webhook verify call_1k3': 'find the secret that a recorded request was signed with',
  },
  async run(context, [file], options) {
    if (file?.startsWith('call_') && options.secret === undefined && options.header === undefined) {
      const report = await (await connect(context)).call('GET /calls/{call}/signature', { call: file });
      if (context.json) context.emit(report);
      else context.print(renderVerdict(report, context));
      return report.valid ? fine : { kind: 'findings' };
    }
    const { secret, header } = needOptions(
      options,
      { secret: '--secret', header: '--header' },
      'platform webhook verify --secret <secret> --header <value> [file]',
    );
    const verdict = await explainSignature(await readBody(context, file), header, secret, {
      now: context.io.clock.now(),
      ...(options.tolerance !== undefined && { toleranceSeconds: options.tolerance }),
    });
    if (context.json) context.emit(verdict);
    else context.print(renderVerdict(verdict, context));
    return verdict.valid ? fine : { kind: 'findings' };
  },
});

interface SignOptions {
  secret?: string;
  timestamp?: number;
}

const sign = defineCommand<SignOptions>({
  name: 'sign',
  summary: 'print the signature header for a body',
  arguments: { '[file]': 'file with the raw body (default, or "-": standard input)' },
  options: {
    '--secret <secret>': 'signing secret',
    '--timestamp <seconds>': { description: 'Unix time (default: now)', parse: parseUnixTime },
  },
  examples: {
    'platform webhook sign --secret whsec_1 body.json': 'read the body from a file',
    'platform webhook sign --secret whsec_1 --timestamp 1700000000 < body.json':
      'sign it with a specific timestamp',
  },
  async run(context, [file], options) {
    const usage = 'platform webhook sign --secret <secret> [file]';
    const { secret } = needOptions(options, { secret: '--secret' }, usage);
    const { signPayload } = await import('../../../../protocol/signature.js');
    const timestamp = options.timestamp ?? Math.floor(context.io.clock.now() / 1000);
    const header = await signPayload(await readBody(context, file), secret, { timestamp });
    if (context.json) context.emit({ header });
    else context.print(header);
    return fine;
  },
});

export const signatureCommands: readonly CommandSpec[] = [verify, sign];

function renderVerdict({ valid, explanation }: SignatureVerdict, { style, width }: CommandContext): string {
  const indent = ' '.repeat('invalid  '.length);
  const lines = wrapText(explanation, width - indent.length).join(`\n${indent}`);
  return `${valid ? style.green('valid') : style.red('invalid')}  ${lines}`;
}

function parseUnixTime(text: string): number {
  if (!/^\d{1,12}$/.test(text))
    throw new InvalidValue('It must be a Unix time in seconds, such as 1700000000.');
  return Number(text);
}

async function readBody({ io, cwd }: CommandContext, file: string | undefined): Promise<Uint8Array> {
  if (file === undefined || file === '-') {
    if (io.stdin.isTTY)
      throw new UserError(
        'no-body',
        'The body is missing.',
        'Pass a file, or pipe the body to standard input.',
      );
    return io.stdin.bytes();
  }
  try {
    return readRegularFile(resolve(cwd, file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem =
      code === 'ENOENT'
        ? `File not found: ${file}.`
        : code === 'EISDIR'
          ? `${file} is a folder.`
          : `${file} cannot be read: ${message}`;
    throw new UserError(
      'no-file',
      problem,
      'Pass a file with the raw body, or pipe the body to standard input.',
    );
  }
}
