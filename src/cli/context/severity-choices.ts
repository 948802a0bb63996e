import { nearest } from '../../base/did-you-mean.js';
import { UserError } from '../../base/user-error.js';
import type { SeverityChoice, SeverityChoices } from '../../diagnostics/index.js';

const choices: readonly SeverityChoice[] = ['off', 'info', 'warning', 'error'];

/** Parses `--rule manifest/unknown-category=off --strict`. */
export const parseSeverityChoices = (
  given: readonly string[],
  strict: boolean,
  codes: readonly string[],
): SeverityChoices => ({ rules: new Map(given.map((text) => parseChoice(text, codes))), strict });

function parseChoice(text: string, codes: readonly string[]): [code: string, choice: SeverityChoice] {
  const [code = '', word = ''] = text.split('=');
  const choice = choices.find((known) => known === word);
  if (choice === undefined) {
    throw new UserError(
      'bad-rule',
      `"${text}" is not a rule with a severity.`,
      `Use --rule <code>=<severity>. Valid severities: ${choices.join(', ')}.`,
    );
  }
  if (codes.includes(code)) return [code, choice];
  const near = nearest(code, codes);
  throw new UserError(
    'unknown-rule',
    `Unknown rule: "${code}".`,
    near ? `Did you mean "${near}"?` : 'List all rules with: platform rules',
  );
}
