import { createLineIndex } from '../../../manifest/yaml/line-starts.js';
import { findBrackets, type Brackets } from '../../tools/scan-code.js';
import type { Note } from '../model/open-decision.js';
import { boundAs, installation, link, movedFields, type MovedField } from './moved-fields.js';

/** Rewrites `{ target: { organization } }` in places where an installation is destructured. Object literals stay unchanged. */
export const rewriteDestructuredReads = (text: string): { text: string; notes: Note[] } =>
  movedFields.reduce<{ text: string; notes: Note[] }>(
    (before, moved) => {
      const { text: rewritten, notes } = rewriteReadsOf(before.text, moved);
      return { text: rewritten, notes: [...before.notes, ...notes] };
    },
    { text, notes: [] },
  );

function rewriteReadsOf(text: string, moved: MovedField): { text: string; notes: Note[] } {
  const key = new RegExp(String.raw`\b${moved.object}\s*:\s*\{`, 'g');
  const found = [...text.matchAll(key)];
  if (found.length === 0) return { text, notes: [] };
  const brackets = findBrackets(text);
  const lines = createLineIndex(text);
  const notes: Note[] = [];
  let rewritten = '';
  let copied = 0;
  for (const { index, 0: start } of found) {
    const open = index + start.length - 1;
    const close = brackets.closing(open);
    const pattern = patternAround(text, open, brackets);
    if (close === undefined || !pattern || index < copied) continue;
    const name = close - open > longest ? undefined : nameOf(text.slice(open + 1, close), moved);
    if (name === undefined && !pattern.ofInstallation) continue;
    if (name === undefined || !pattern.ofInstallation) {
      notes.push({
        line: lines.position(index).line,
        message: `This code destructures ${moved.object}. On this platform, an installation has ${moved.here} as a string instead.`,
      });
      continue;
    }
    const [defaults = ''] = /^\s*=\s*\{\s*\}/.exec(text.slice(close + 1, close + longest)) ?? [];
    rewritten += text.slice(copied, index) + boundAs(moved.here, name);
    copied = close + 1 + defaults.length;
  }
  return { text: rewritten + text.slice(copied), notes };
}

/** Patterns with a longer default value are left for the author to rewrite. */
const longest = 1000;

/** Returns the variable that the field is bound to, or undefined if the pattern also contains other fields. */
function nameOf(inner: string, { field }: MovedField): string | undefined {
  const found = new RegExp(String.raw`^\s*${field}\b\s*(?::\s*([\w$]+)\s*)?(=[^,]*)?(?:,\s*)?$`).exec(inner);
  if (!found) return undefined;
  const [, alias = field, value] = found;
  return value === undefined ? alias : `${alias} ${value.trimEnd()}`;
}

/** Returns the pattern that contains the key of this bracket, or undefined if this is an object literal. */
function patternAround(
  text: string,
  open: number,
  { closing, outer }: Brackets,
): { ofInstallation: boolean } | undefined {
  const keys: string[] = [];
  let outermost = outer(open);
  while (outermost !== undefined && keys.length < deepest && text[outermost] === '{') {
    const key = /(?<![\w$])([\w$]+)\s*:\s*$/.exec(text.slice(Math.max(0, outermost - 200), outermost))?.[1];
    const around = outer(outermost);
    if (key === undefined || around === undefined || text[around] !== '{') break;
    keys.push(key);
    outermost = around;
  }
  const close = outermost === undefined ? undefined : closing(outermost);
  if (outermost === undefined || close === undefined || text[outermost] !== '{') return undefined;
  const before = text.slice(Math.max(0, outermost - 200), outermost);
  const after = text.slice(close + 1, close + 400);
  const named = keys.some((key) => /[iI]nstallations?$/.test(key));
  if (/\b(?:const|let|var)\s*$/.test(before) || /^\s*=(?![=>])/.test(after))
    return { ofInstallation: named || takenFrom.test(after) };
  const paren = outer(outermost);
  const end = paren === undefined || text[paren] !== '(' ? undefined : closing(paren);
  if (paren === undefined || end === undefined) return undefined;
  if (!/^\s*(?::[^=;{}]*)?(?:=>|\{)/.test(text.slice(end + 1, end + 200))) return undefined;
  const typed = /^\s*:\s*\w*Installation\w*/.test(after);
  return { ofInstallation: named || typed || eachOf.test(text.slice(Math.max(0, paren - 200), paren)) };
}

/** Far deeper than any nesting in real code. */
const deepest = 10;

const takenFrom = new RegExp(
  String.raw`^\s*(?::[^=;]{0,100})?(?:=|of)\s*(?:await\s+)?(?:[\w$]+${link})*${installation}\s*(?:!\s*)?(?:[;,)\n]|\?\?|$)`,
);
/** Matches `installations.map(` before the parameters of a callback. */
const eachOf = new RegExp(String.raw`${installation}${link}\w+\(\s*(?:async\s*)?$`);
