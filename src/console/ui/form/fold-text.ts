/** Text of which some parts are folded. A mark such as `⟦…1⟧` stands for a folded part. */
export interface FoldedText {
  shown: string;
  /** The folded parts. The mark with the number 1 stands for the first one. */
  parts: readonly string[];
}

const marks = /⟦…(\d+)⟧/g;

export const unfolded = (text: string): FoldedText => ({ shown: text, parts: [] });

/** Returns the text with the folded parts, which can contain marks themselves. */
export const wholeText = ({ shown, parts }: FoldedText): string =>
  shown.replace(marks, (mark, nth: string) => {
    const part = parts[Number(nth) - 1];
    return part === undefined ? mark : wholeText({ shown: part, parts });
  });

/** Whether a mark was only changed in part, so that it is unknown what should happen to what it stands for. */
export const hasBrokenMark = ({ shown, parts }: FoldedText): boolean =>
  parts.length > 0 && /[⟦⟧]/.test(shown.replace(marks, ''));

export interface Line {
  /** Its number in the whole text. */
  number: number;
  /** Undefined if there is nothing to fold or to open on this line. */
  fold?: 'open' | 'folded';
}

/** Returns the lines that are shown. An object or a list can be folded if it ends on a later line. */
export function linesOf({ shown, parts }: FoldedText): Line[] {
  const foldable = new Set(rangesIn(shown).map(({ line }) => line));
  let number = 1;
  return shown.split('\n').map((text, index): Line => {
    const line = { number };
    const whole = wholeText({ shown: text, parts });
    number += whole.split('\n').length;
    if (whole !== text) return { ...line, fold: 'folded' };
    return foldable.has(index) ? { ...line, fold: 'open' } : line;
  });
}

/** Folds or opens what begins on a line that is shown. */
export function toggleFold({ shown, parts }: FoldedText, index: number): FoldedText {
  const lines = shown.split('\n');
  const text = lines[index] ?? '';
  const opened = text.replace(marks, (mark, nth: string) => parts[Number(nth) - 1] ?? mark);
  if (opened !== text) return { shown: lines.with(index, opened).join('\n'), parts };
  const range = rangesIn(shown).find(({ line }) => line === index);
  if (!range) return { shown, parts };
  const mark = `⟦…${parts.length + 1}⟧`;
  return {
    shown: shown.slice(0, range.start) + mark + shown.slice(range.end),
    parts: [...parts, shown.slice(range.start, range.end)],
  };
}

interface Range {
  line: number;
  start: number;
  end: number;
}

/** Finds what is between brackets on different lines. Brackets in strings do not count. */
function rangesIn(text: string): Range[] {
  const open: { line: number; start: number }[] = [];
  const ranges: Range[] = [];
  let line = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|[[\]{}\n]/g)) {
    if (token === '\n') line += 1;
    else if (token === '{' || token === '[') open.push({ line, start: index + 1 });
    else if (token === '}' || token === ']') {
      const from = open.pop();
      if (from && from.line < line) ranges.push({ ...from, end: index });
    }
  }
  return ranges;
}
