import { skippedWithoutBuild, type Check, type CheckOutcome, type PublishFinding } from './check.js';

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
    // A file that does not export an integration does not use any secrets.
    const isEmpty = facts?.started.ok === true && !facts.isIntegration;
    const unused = (isEmpty || scripts.some(takesSecretsWhole) ? [] : declared)
      .filter((name) => !isNamedIn(code, name))
      .map((name): PublishFinding => ({
        message: `Nothing in the script uses the secret ${name}.`,
        help: 'Remove it from the manifest. Even an unused secret can leak.',
        path: ['secrets', name],
      }));
    return {
      evidence:
        declared.length > 0 ? `Declared: ${declared.join(', ')}.` : 'No secrets are declared or used.',
      findings: [...undeclared, ...unused],
    };
  },
};

/** An escaped quote, as in a regular expression, does not begin a string. */
const texts =
  /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|(?<!\\)(?:'(?:[^'\\\n]|\\.){0,2000}'|"(?:[^"\\\n]|\\.){0,2000}"|`(?:[^`\\]|\\.){0,5000}`)/g;

const withoutComments = (code: string): string =>
  code.replaceAll(texts, (text) => (text.startsWith('/') ? ' ' : text));

/** Removes strings. Template literals are kept, because they can contain code. */
const withoutTexts = (code: string): string =>
  code.replaceAll(texts, (text) => (text.startsWith('/') ? ' ' : text.includes('${') ? text : "''"));

const quoted = /\bsecrets\s*(?:\?\.)?\[\s*(['"`])([^'"`$\n]+)\1\s*\]/g;
const dotted = /(\.\s*)?\bsecrets\s*(?:\?\.|\.)\s*([A-Za-z_$][\w$]*)(?![\w$])(?!\s*(?:\?\.)?\()/g;
const takenApart = /\{([^{}]*)\}\s*(?::[^={};]*)?=\s*[\w$.?!]*\bsecrets\b(?!\s*(?:\?\.|[.[(\w$]))/g;
/** Matches the author's own declaration of a variable with the same name. */
const another =
  /\b(?:const|let|var)\s+secrets\b[^=;]{0,200}=(?![^;\n]{0,1000}?\b(?:secrets|env|environment)\b)/;
const ofLists = new Set(['length', 'size']);

const whole =
  /\bsecrets\s*(?:\?\.)?\[\s*[\w$`]|(?<![\w$.?])\.\.\.\s*[\w$.?]{0,200}\bsecrets\b(?!\s*[.?([])|[(,]\s*[\w$.?]*\bsecrets\s*[,)]/;

/** Whether the code passes on the whole object of secrets, or reads secrets by computed names. */
const takesSecretsWhole = (source: string): boolean => whole.test(withoutTexts(source));

function secretUses(source: string): string[] {
  const code = withoutTexts(source);
  const own = another.test(code);
  const inBrackets = [...withoutComments(source).matchAll(quoted)].map(([, , name = '']) => name);
  const named = [...code.matchAll(dotted)].flatMap(([, dot, name = '']) =>
    (own && dot === undefined) || ofLists.has(name) ? [] : [name],
  );
  const apart = [...code.matchAll(takenApart)].flatMap(([, inside = '']) =>
    inside.split(',').map((part) => /^\s*([\w$]+)/.exec(part)?.[1] ?? ''),
  );
  return [...new Set([...inBrackets, ...named, ...apart])].filter(Boolean).sort();
}
