import { closingOf, openersBefore } from '../../add/scan-code.js';
import { lineAt, type Note } from '../open-decision.js';
import { boundAs, installation, movedFields, type MovedField } from './moved-fields.js';

/**
 * Rewrites `{ target: { organization } }` where an installation is destructured. Object literals stay
 * unchanged.
 */
export function rewriteDestructuredReads(text: string): { text: string; notes: Note[] } {
  let rewritten = text;
  const notes: Note[] = [];
  for (const moved of movedFields) {
    const key = new RegExp(String.raw`\b${moved.object}\s*:\s*\{`, 'g');
    for (const { index, 0: start } of [...rewritten.matchAll(key)].toReversed()) {
      const open = index + start.length - 1;
      const close = closingOf(rewritten, open);
      const pattern = patternAround(rewritten, index);
      if (close === undefined || !pattern) continue;
      const name = nameOf(rewritten.slice(open + 1, close), moved);
      if (name === undefined && !pattern.ofInstallation) continue;
      if (name === undefined || !pattern.ofInstallation) {
        notes.push({
          line: lineAt(rewritten, index),
          message: `This destructures ${moved.object}. Here an installation has ${moved.here} as a string instead.`,
        });
        continue;
      }
      const [defaults = ''] = /^\s*=\s*\{\s*\}/.exec(rewritten.slice(close + 1)) ?? [];
      const end = close + 1 + defaults.length;
      rewritten = rewritten.slice(0, index) + boundAs(moved.here, name) + rewritten.slice(end);
    }
  }
  return { text: rewritten, notes };
}

/** The variable that the field is bound to. Undefined if the pattern has other fields too. */
function nameOf(inner: string, { field }: MovedField): string | undefined {
  const found = new RegExp(String.raw`^\s*${field}\b\s*(?::\s*([\w$]+))?(\s*=[^,]*)?\s*,?\s*$`).exec(inner);
  return found ? `${found[1] ?? field}${found[2]?.trimEnd() ?? ''}` : undefined;
}

/** The pattern that this key belongs to. Undefined in an object literal. */
function patternAround(text: string, at: number): { ofInstallation: boolean } | undefined {
  const openers = openersBefore(text, at);
  const keys: string[] = [];
  let outermost = openers.pop();
  while (outermost !== undefined && text[outermost] === '{') {
    const key = /([\w$]+)\s*:\s*$/.exec(text.slice(Math.max(0, outermost - 200), outermost))?.[1];
    if (key === undefined || text[openers.at(-1) ?? -1] !== '{') break;
    keys.push(key);
    outermost = openers.pop();
  }
  const close = outermost === undefined ? undefined : closingOf(text, outermost);
  if (outermost === undefined || close === undefined || text[outermost] !== '{') return undefined;
  const before = text.slice(Math.max(0, outermost - 200), outermost);
  const after = text.slice(close + 1, close + 400);
  const named = keys.some((key) => /[iI]nstallations?$/.test(key));
  if (/\b(?:const|let|var)\s*$/.test(before) || /^\s*=(?![=>])/.test(after))
    return { ofInstallation: named || takenFrom.test(after) };
  const paren = openers.at(-1);
  const end = paren === undefined || text[paren] !== '(' ? undefined : closingOf(text, paren);
  if (paren === undefined || end === undefined) return undefined;
  if (!/^\s*(?::[^=;{}]*)?(?:=>|\{)/.test(text.slice(end + 1, end + 200))) return undefined;
  const typed = /^\s*:\s*\w*Installation\w*/.test(after);
  return { ofInstallation: named || typed || eachOf.test(text.slice(Math.max(0, paren - 200), paren)) };
}

const takenFrom = new RegExp(
  String.raw`^\s*(?::[^=;]*)?(?:=|of)\s*(?:await\s+)?(?:[\w$]+\s*!?\s*\??\.\s*)*${installation}\s*!?\s*(?:[;,)\n]|\?\?|$)`,
);
/** `installations.map(` before the parameters of a callback. */
const eachOf = new RegExp(String.raw`${installation}\s*!?\s*\??\.\s*\w+\(\s*(?:async\s*)?$`);
