import type { Check, PublishFinding } from '../check.js';
import { secretUses, takesSecretsWhole } from './secret-uses.js';

/** A name may hold signs that mean something in an expression. */
const isNamedIn = (code: string, name: string): boolean =>
  new RegExp(`(?<![\\w$])${name.replaceAll(/\W/g, '\\$&')}(?![\\w$])`).test(code);

const isCode = /\.[cm]?[jt]sx?$/;

export const declaredSecrets: Check = {
  code: 'publish/secret-use',
  title: 'Use of secrets',
  severity: 'error',
  summary: 'Every secret that the script uses is declared, and every declared one is used.',
  look({ manifest, sources }) {
    const declared = manifest.secrets.map(({ name }) => name);
    if (!sources) return { evidence: `The manifest declares ${declared.join(', ') || 'none'}.` };
    const code = sources.map(({ text }) => text).join('\n');
    const scripts = sources.filter(({ path }) => isCode.test(path)).map(({ text }) => text);
    const used = [...new Set(scripts.flatMap(secretUses))].sort();
    const undeclared = used
      .filter((name) => !declared.includes(name))
      .map((name): PublishFinding => ({
        message: `The script uses the secret ${name}, which the manifest does not declare: it would be undefined.`,
        help: `Declare it: platform add secret ${name}`,
        path: ['secrets'],
      }));
    const unused = (scripts.some(takesSecretsWhole) ? [] : declared)
      .filter((name) => !isNamedIn(code, name))
      .map((name): PublishFinding => ({
        message: `Nothing in the script uses the secret ${name}.`,
        help: 'Take it out of the manifest: what is not there can not leak.',
        severity: 'warning',
        path: ['secrets', name],
      }));
    return {
      evidence: declared.length > 0 ? `It declares ${declared.join(', ')}.` : 'It declares none.',
      findings: [...undeclared, ...unused],
    };
  },
};
