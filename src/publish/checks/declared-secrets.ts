import { skippedWithoutBuild, type Check, type CheckOutcome, type PublishFinding } from './check.js';
import { secretUses, takesSecretsWhole } from './secret-uses.js';

/** Escapes the name for use in a regular expression. */
const isNamedIn = (code: string, name: string): boolean =>
  new RegExp(`(?<![\\w$])${name.replaceAll(/\W/g, '\\$&')}(?![\\w$])`).test(code);

const isCode = /\.[cm]?[jt]sx?$/;

export const declaredSecrets: Check = {
  code: 'publish/secret-use',
  title: 'Use of secrets',
  severity: 'warning',
  summary: 'The script uses an undeclared secret, or the manifest declares an unused one.',
  run(submission): CheckOutcome {
    const { manifest, sources, facts } = submission;
    const declared = manifest.secrets.map(({ name }) => name);
    if (!sources) return skippedWithoutBuild(submission);
    const code = sources.map(({ text }) => text).join('\n');
    const scripts = sources.filter(({ path }) => isCode.test(path)).map(({ text }) => text);
    const used = [...new Set(scripts.flatMap(secretUses))].sort();
    const undeclared = used
      .filter((name) => !declared.includes(name))
      .map((name): PublishFinding => ({
        message: `The script uses the secret ${name}, which the manifest does not declare, so its value is undefined.`,
        help: `To declare it: platform add secret ${name}`,
        path: ['secrets'],
      }));
    // A file that does not export an integration uses no secrets.
    const isEmpty = facts?.started.ok === true && !facts.isIntegration;
    const unused = (isEmpty || scripts.some(takesSecretsWhole) ? [] : declared)
      .filter((name) => !isNamedIn(code, name))
      .map((name): PublishFinding => ({
        message: `Nothing in the script uses the secret ${name}.`,
        help: 'Remove it from the manifest. Even an unused secret can leak.',
        path: ['secrets', name],
      }));
    return {
      evidence: declared.length > 0 ? `Declared: ${declared.join(', ')}.` : 'No secret is declared or used.',
      findings: [...undeclared, ...unused],
    };
  },
};
