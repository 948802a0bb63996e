import { skippedWithoutBuild, type Check, type CheckOutcome, type PublishFinding } from '../check.js';
import { secretUses, takesSecretsWhole } from './secret-uses.js';

/** A name may hold signs that mean something in an expression. */
const isNamedIn = (code: string, name: string): boolean =>
  new RegExp(`(?<![\\w$])${name.replaceAll(/\W/g, '\\$&')}(?![\\w$])`).test(code);

const isCode = /\.[cm]?[jt]sx?$/;

export const declaredSecrets: Check = {
  code: 'publish/secret-use',
  title: 'Use of secrets',
  severity: 'warning',
  summary: 'Every secret that the script uses is declared, and every declared one is used.',
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
        help: `Declare it: platform add secret ${name}`,
        path: ['secrets'],
      }));
    // What has no integration in it uses nothing.
    const isEmpty = facts?.started.ok === true && !facts.isIntegration;
    const unused = (isEmpty || scripts.some(takesSecretsWhole) ? [] : declared)
      .filter((name) => !isNamedIn(code, name))
      .map((name): PublishFinding => ({
        message: `Nothing in the script uses the secret ${name}.`,
        help: 'Remove it from the manifest: a secret that nothing needs can still leak.',
        path: ['secrets', name],
      }));
    return {
      evidence: declared.length > 0 ? `Declared: ${declared.join(', ')}.` : 'No secret is declared or used.',
      findings: [...undeclared, ...unused],
    };
  },
};
