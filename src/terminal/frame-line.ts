import { characterWidth, splitCharacters } from './text-width.js';
import { visible } from '../base/escape-control-characters.js';

/** A half-open range within a line, in UTF-16 units counted from 0. */
export interface Span {
  from: number;
  to: number;
}

export interface FrameLine {
  text: string;
  /** The terminal cells to underline. Undefined if nothing is marked. */
  mark: { offset: number; length: number } | undefined;
}

interface Cell extends Span {
  text: string;
  width: number;
}

const tabWidth = 4;
const dots = '\u2022'.repeat(4);
const ellipsis = '\u2026';
/** How many characters to read on each side of the marker. Limited because a line may be hundreds of kilobytes long. */
const reach = 500;

/** Renders a line for a terminal, cut to `width` cells around the marker. */
export function renderFrameLine(
  line: string,
  { width, mark, masks = [] }: { width: number; mark?: Span; masks?: readonly Span[] },
): FrameLine {
  const near = { from: Math.max(0, (mark?.from ?? 0) - reach), to: (mark?.from ?? 0) + reach + width };
  const cells = splitCells(line, near, masks);
  const marked = mark && findMark(cells, mark);
  const window = chooseWindow(cells, width, marked ?? { from: 0, to: 0 });
  const before = near.from > 0 || window.from > 0 ? ellipsis : '';
  const after = near.to < line.length || window.to < cells.length ? ellipsis : '';
  const shown = cells.slice(window.from, window.to).map(({ text }) => text);
  return {
    text: `${before}${shown.join('')}${after}`.trimEnd(),
    mark: marked && {
      offset: before.length + widthOf(cells, window.from, marked.from),
      length: widthOf(cells, marked.from, Math.min(marked.to, window.to)),
    },
  };
}

function splitCells(line: string, near: Span, masks: readonly Span[]): Cell[] {
  const cells: Cell[] = [];
  let from = near.from;
  const take = (to: number): void => {
    for (const character of splitCharacters(line.slice(from, to))) {
      cells.push(toCell(character, from, cells));
      from += character.length;
    }
  };
  for (const mask of masks.toSorted((a, b) => a.from - b.from)) {
    if (mask.to <= from || mask.from >= near.to) continue;
    take(mask.from);
    cells.push({ text: dots, width: dots.length, from, to: mask.to });
    from = mask.to;
  }
  take(near.to);
  return cells;
}

function toCell(character: string, from: number, before: readonly Cell[]): Cell {
  const span = { from, to: from + character.length };
  if (character === '\t') {
    const column = before.reduce((sum, { width }) => sum + width, 0);
    const width = tabWidth - (column % tabWidth);
    return { ...span, text: ' '.repeat(width), width };
  }
  const text = visible(character);
  return { ...span, text, width: characterWidth(text) };
}

/** Returns the marked cells. If the range is empty or beyond the end, marks a single character. */
function findMark(cells: Cell[], mark: Span): Span {
  const from = cells.findIndex((cell) => cell.to > mark.from);
  if (from < 0) {
    cells.push({ text: ' ', width: 1, from: mark.from, to: mark.from + 1 });
    return { from: cells.length - 1, to: cells.length };
  }
  const behind = cells.findIndex((cell) => cell.from >= mark.to);
  return { from, to: behind < 0 ? cells.length : Math.max(behind, from + 1) };
}

/** Chooses which cells to show: the start of the line if that includes the marker, or else the part around the marker. */
function chooseWindow(cells: readonly Cell[], width: number, mark: Span): Span {
  if (widthOf(cells, 0, cells.length) <= width) return { from: 0, to: cells.length };
  const room = width - 2;
  let from = 0;
  if (widthOf(cells, 0, mark.to) > room) {
    const margin = Math.max(0, room - widthOf(cells, mark.from, mark.to)) / 2;
    from = mark.from;
    while (from > 0 && widthOf(cells, from - 1, mark.from) <= margin) from--;
  }
  let to = from;
  while (to < cells.length && widthOf(cells, from, to + 1) <= room) to++;
  while (from > 0 && widthOf(cells, from - 1, to) <= room) from--;
  return { from, to };
}

const widthOf = (cells: readonly Cell[], from: number, to: number): number =>
  cells.slice(from, to).reduce((sum, { width }) => sum + width, 0);
