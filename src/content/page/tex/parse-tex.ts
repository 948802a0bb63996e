// cspell:ignore operatorname nolimits bigg Bigg movablelimits textcolor binom mathrm stackrel pmod
import type { MathNode } from '../../../protocol/page/page-tree.js';
import {
  accents,
  environments,
  fonts,
  functions,
  ignored,
  names,
  operators,
  spaces,
  sums,
} from './tex-symbols.js';

/** A formula that cannot be parsed. `at` is the offset of the error in it. */
export class TexError extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

type Attributes = Record<string, string>;

const el = (tag: string, children: (MathNode | string)[], attributes: Attributes = {}): MathNode => ({
  tag,
  attributes,
  children,
});
const mo = (text: string, attributes?: Attributes): MathNode => el('mo', [text], attributes);
const row = (nodes: readonly MathNode[]): MathNode => {
  const [only] = nodes;
  return only && nodes.length === 1 ? only : el('mrow', [...nodes]);
};
const space = (width: string): MathNode => el('mspace', [], { width });
const upright = (text: string): MathNode => el('mi', [text], { mathvariant: 'normal' });
const fence = (text: string): MathNode[] =>
  text === '' ? [] : [mo(text, { fence: 'true', stretchy: 'true' })];
const delimiters = '()[]{}|‖/⟨⟩⌈⌉⌊⌋';

/** More deeply nested formulas would overflow the stack in recursive functions. */
const deepest = 60;

/** Parses the TeX that documentation uses, and returns it as MathML. Throws a `TexError` if it contains anything else. */
export function parseTex(text: string, isBlock: boolean): MathNode {
  const tokens = [...text.matchAll(/\\[a-z]+\*?|\\[^]|\d+(?:[.,]\d+)*|\s+|[^]/giu)];
  let at = 0;
  let depth = 0;

  const fail = (message: string, where = tokens[at]?.index ?? text.length): never => {
    throw new TexError(message, where);
  };
  const peek = (): string | undefined => {
    while (/^\s/.test(tokens[at]?.[0] ?? '')) at += 1;
    return tokens[at]?.[0];
  };
  const take = (): string => {
    const next = peek() ?? fail('it ends too early');
    at += 1;
    return next;
  };
  const expect = (wanted: string): void => {
    if (peek() !== wanted) fail(`expected ${wanted}`);
    at += 1;
  };
  /** Returns one character, or the text between braces, without parsing it. */
  const takeText = (): string => {
    if (peek() !== '{') return take();
    at += 1;
    const from = at;
    for (let open = 1; open > 0; at += 1) {
      const [next] = tokens[at] ?? fail('expected }');
      open += next === '{' ? 1 : next === '}' ? -1 : 0;
    }
    const inside = tokens.slice(from, at - 1).map(([one]) => one);
    return inside.join('').replaceAll(/\\([%$#&_{} ])/g, '$1');
  };
  const delimiter = (): string => {
    const next = take();
    const found = next.startsWith('\\')
      ? operators.get(next.slice(1))
      : next === '<'
        ? '⟨'
        : next === '>'
          ? '⟩'
          : next;
    if (next === '.') return '';
    return found !== undefined && delimiters.includes(found)
      ? found
      : fail(`${next} is not a delimiter`, tokens[at - 1]?.index);
  };

  const readRow = (...ends: string[]): MathNode[] => {
    const nodes: MathNode[] = [];
    depth += 1;
    if (depth > deepest) fail('it is nested too deeply');
    for (let next = peek(); next !== undefined && !ends.includes(next); next = peek()) {
      if (next === '\\color') {
        at += 1;
        nodes.push(colored(takeText(), readRow(...ends)));
        continue;
      }
      nodes.push(...readScripts(next));
      if (functions.has(next.slice(1)) && /^[a-z\d\\]/i.test(peek() ?? '')) nodes.push(space('0.17em'));
    }
    depth -= 1;
    return nodes;
  };
  const colored = (color: string, nodes: readonly MathNode[]): MathNode =>
    /^#[0-9a-f]{3,8}$|^[a-z]{1,20}$/i.test(color)
      ? el('mstyle', [...nodes], { mathcolor: color })
      : fail(`${color} is not a color`, tokens[at - 1]?.index);
  const argument = (): MathNode => {
    const before = at;
    const [digit = '', others] = /^(\d)(.+)/.exec(peek() ?? '')?.slice(1) ?? [];
    const token = tokens[at];
    // Only the first digit is the value, as in TeX.
    if (token && others !== undefined) {
      token[0] = others;
      return el('mn', [digit]);
    }
    return readAtom()[0] ?? fail('a value is missing', tokens[before]?.index);
  };

  /** Reads an atom with what is written above and below it. */
  const readScripts = (first: string): MathNode[] => {
    const nodes = "^_'".includes(first) ? [el('mrow', [])] : readAtom();
    const name = first.slice(1);
    let isAround = name.endsWith('brace') || (isBlock && (sums.has(name) || name === 'operatorname*'));
    let [below, above]: (MathNode | undefined)[] = [];
    let primes = '';
    for (let next = peek(); next !== undefined; next = peek()) {
      if (next === '_') {
        if (below) fail('it has a double subscript');
        at += 1;
        below = argument();
      } else if (next === '^') {
        if (above) fail('it has a double superscript');
        at += 1;
        above = argument();
      } else if (next === "'") {
        at += 1;
        primes += '′';
      } else if (next === '\\limits' || next === '\\nolimits') {
        at += 1;
        isAround = next === '\\limits';
      } else break;
    }
    if (primes) above = above ? row([mo(primes), above]) : mo(primes);
    const base = nodes.pop();
    if (!base) return [];
    const scripts = [below, above].filter((one) => one !== undefined);
    if (scripts.length === 0) return [...nodes, base];
    const parts = `${below ? (isAround ? 'under' : 'sub') : ''}${above ? (isAround ? 'over' : 'sup') : ''}`;
    return [...nodes, el(`m${parts}`, [base, ...scripts])];
  };

  const readAtom = (): MathNode[] => {
    const next = take();
    if (next === '{') {
      const nodes = readRow('}');
      expect('}');
      return [row(nodes)];
    }
    if (next === '~') return [space('0.25em')];
    if (/^[}&^_]|^\\(?:right|middle|end|\\)$/.test(next)) fail(`unexpected ${next}`, tokens[at - 1]?.index);
    if (/^\d/.test(next)) return [el('mn', [next])];
    if (/^\p{L}/u.test(next)) return [el('mi', [next])];
    if (next.startsWith('\\')) return readCommand(next.slice(1).replace(/\*$/, ''), tokens[at - 1]?.index);
    const sign = { '-': '−', '*': '∗' }[next] ?? next;
    return [mo(sign, delimiters.includes(sign) ? { stretchy: 'false' } : {})];
  };

  const readCommand = (name: string, where = 0): MathNode[] => {
    const [letter, operator, sum, accent, width] = [names, operators, sums, accents, spaces].map((one) =>
      one.get(name),
    );
    const font = fonts.get(name);
    const [, size] = /^(big|Big|bigg|Bigg)[lrm]?$/.exec(name) ?? [];
    if (letter !== undefined) return [/^[Α-Ω]$/.test(letter) ? upright(letter) : el('mi', [letter])];
    if (operator !== undefined)
      return [mo(operator, delimiters.includes(operator) ? { stretchy: 'false' } : {})];
    if (sum !== undefined) return [/^[a-z]/i.test(sum) ? upright(sum) : mo(sum, { movablelimits: 'false' })];
    if (functions.has(name)) return [upright(name)];
    if (width !== undefined) return [space(width)];
    if (ignored.has(name)) return [];
    if (/^\s$/.test(name)) return [space('0.25em')];
    if (accent !== undefined) {
      const stretchy = String(/^(?:wide|over|under)/.test(name));
      return [el(name.startsWith('under') ? 'munder' : 'mover', [argument(), mo(accent, { stretchy })])];
    }
    if (font) return [inFont(argument(), font)];
    if (size !== undefined) {
      const em = { big: '1.2em', Big: '1.8em', bigg: '2.4em' }[size] ?? '3em';
      return [mo(delimiter(), { minsize: em, maxsize: em })];
    }
    return readStructure(name, where);
  };

  const readStructure = (name: string, where: number): MathNode[] => {
    if (/^[dtc]?frac$/.test(name)) return [el('mfrac', [argument(), argument()])];
    if (/^text|^mbox$/.test(name) && name !== 'textcolor')
      return [el('mtext', [takeText().replaceAll(/^\s|\s$/g, '\u00A0')])];
    switch (name) {
      case 'binom':
        return [
          row([...fence('('), el('mfrac', [argument(), argument()], { linethickness: '0' }), ...fence(')')]),
        ];
      case 'sqrt': {
        if (peek() !== '[') return [el('msqrt', [argument()])];
        at += 1;
        const root = row(readRow(']'));
        expect(']');
        return [el('mroot', [argument(), root])];
      }
      case 'mathrm':
      case 'operatorname':
        return [upright(takeText())];
      case 'overset':
      case 'stackrel':
      case 'underset': {
        const script = argument();
        return [el(name === 'underset' ? 'munder' : 'mover', [argument(), script])];
      }
      case 'textcolor':
        return [colored(takeText(), [argument()])];
      case 'pmod':
        return [row([mo('('), mo('mod', { rspace: '0.3em' }), argument(), mo(')')])];
      case 'tag':
        return [space('2em'), el('mtext', [`(${takeText()})`])];
      case 'left': {
        const nodes = fence(delimiter());
        for (;;) {
          nodes.push(...readRow('\\right', '\\middle'));
          const end = take();
          nodes.push(...fence(delimiter()));
          if (end === '\\right') return [row(nodes)];
        }
      }
      case 'begin': {
        const environment = takeText().replace(/\*$/, '');
        const [before, after, align] =
          environments.get(environment) ?? fail(`unknown environment ${environment}`, where);
        if (environment === 'array') takeText();
        const table = readTable('\\end', align);
        expect('\\end');
        if (takeText().replace(/\*$/, '') !== environment)
          fail(`expected \\end{${environment}}`, tokens[at - 1]?.index);
        return [row([...fence(before), table, ...fence(after)])];
      }
    }
    return fail(`unknown command \\${name}`, where);
  };

  /** Reads rows of cells. A single cell without an end is the whole formula. */
  const readTable = (end?: string, align?: string): MathNode => {
    const rows: MathNode[][] = [[]];
    const ends = ['&', '\\\\', '\\hline', ...(end === undefined ? [] : [end])];
    for (;;) {
      const cells = rows.at(-1) ?? [];
      const nodes = readRow(...ends);
      const side = align === 'pairs' ? (cells.length % 2 === 0 ? 'right' : 'left') : align;
      const next = peek();
      if (next === undefined && end !== undefined) fail(`expected ${end}`);
      // A line break at the end does not begin another row.
      if (next === end && nodes.length === 0 && cells.length === 0 && rows.length > 1) rows.pop();
      else if (next !== '\\hline')
        cells.push(el('mtd', [row(nodes)], side === undefined ? {} : { class: `math-${side}` }));
      if (next === end) break;
      at += 1;
      if (next === '\\\\') rows.push([]);
    }
    const [[first] = [], ...others] = rows;
    if (end === undefined && others.length === 0 && rows[0]?.length === 1 && first)
      return first.children[0] as MathNode;
    const isDisplay = isBlock && (align === 'pairs' || end === undefined);
    return el(
      'mtable',
      rows.map((cells) => el('mtr', cells)),
      isDisplay ? { displaystyle: 'true' } : {},
    );
  };

  return el('math', [readTable()], isBlock ? { display: 'block' } : {});
}

/** Replaces letters and digits with those of a font, which are characters of their own. */
function inFont(
  { tag, attributes, children }: MathNode,
  font: NonNullable<ReturnType<typeof fonts.get>>,
): MathNode {
  const [capital, small, digit, others] = font;
  const convert = (sign: string): string => {
    const other = others.indexOf(sign);
    if (other >= 0) return others[other + 1] ?? sign;
    const from = /[A-Z]/.test(sign)
      ? capital - 65
      : /[a-z]/.test(sign)
        ? small - 97
        : /\d/.test(sign)
          ? digit - 48
          : 0;
    return String.fromCodePoint(from + (sign.codePointAt(0) ?? 0));
  };
  return el(
    tag,
    children.map((child) =>
      typeof child === 'object'
        ? inFont(child, font)
        : /^m[in]$/.test(tag)
          ? Array.from(child, convert).join('')
          : child,
    ),
    attributes,
  );
}
