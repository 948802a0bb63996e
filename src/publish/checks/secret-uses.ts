const texts =
  /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|'(?:[^'\\\n]|\\.){0,2000}'|"(?:[^"\\\n]|\\.){0,2000}"|`(?:[^`\\]|\\.){0,5000}`/g;

const withoutComments = (code: string): string =>
  code.replaceAll(texts, (text) => (text.startsWith('/') ? ' ' : text));

/** Keeps template literals: they can contain code. */
const withoutTexts = (code: string): string =>
  code.replaceAll(texts, (text) => (text.startsWith('/') ? ' ' : text.includes('${') ? text : "''"));

const quoted = /\bsecrets\s*(?:\?\.)?\[\s*(['"`])([^'"`$\n]+)\1\s*\]/g;
const dotted = /(\.\s*)?\bsecrets\s*(?:\?\.|\.)\s*([A-Za-z_$][\w$]*)(?![\w$])(?!\s*(?:\?\.)?\()/g;
const takenApart = /\{([^{}]*)\}\s*(?::[^={};]*)?=\s*[\w$.?!]*\bsecrets\b(?!\s*(?:\?\.|[.[(\w$]))/g;
/** A variable of the author with the same name. */
const another =
  /\b(?:const|let|var)\s+secrets\b[^=;]{0,200}=(?![^;\n]{0,1000}\b(?:secrets|env|environment)\b)/;
const ofLists = new Set(['length', 'size']);

const whole =
  /\bsecrets\s*(?:\?\.)?\[\s*[\w$`]|\.\.\.\s*[\w$.?]{0,200}\bsecrets\b(?!\s*[.?([])|[(,]\s*[\w$.?]*\bsecrets\s*[,)]/;

/** The code passes all secrets on, or reads them by computed names. */
export const takesSecretsWhole = (source: string): boolean => whole.test(withoutTexts(source));

/** The names of the secrets that a source file seems to read. */
export function secretUses(source: string): string[] {
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
