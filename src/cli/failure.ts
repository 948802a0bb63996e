import { CommanderError } from 'commander';

export type Failure =
  | { kind: 'usage'; code: string; message: string; hint?: string }
  | { kind: 'bug'; error: Error };

/** A thrown thing is wrong usage (the command line, a `UserError`) or a bug of ours. */
export function describeFailure(thrown: unknown): Failure {
  if (thrown instanceof CommanderError) return describeUsage(thrown);
  if (isUserError(thrown)) {
    const { code, message, hint } = thrown;
    return { kind: 'usage', code, message, ...(hint !== undefined && { hint }) };
  }
  return { kind: 'bug', error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
}

/** By name: the rooms are bundled apart, so each bundle has its own copy of the class. */
function isUserError(thrown: unknown): thrown is Error & { code: string; hint?: string } {
  return thrown instanceof Error && thrown.name === 'UserError' && 'code' in thrown;
}

function describeUsage({ code, message }: CommanderError): Failure {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`;
  const suggestion = rest.join(' ').replace(/^\((.*)\)$/, '$1');
  return {
    kind: 'usage',
    code: code.replace(/^commander\./, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    message: /[.?!]$/.test(sentence) ? sentence : `${sentence}.`,
    hint: suggestion || 'Run it with --help to see what it takes.',
  };
}
