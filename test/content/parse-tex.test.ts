import { expect, it } from 'vitest';
import { parseTex } from '../../src/content/page/tex/parse-tex.js';
import type { MathNode } from '../../src/protocol/page/page-tree.js';

/** Writes MathML in a short form, in which the elements of letters, numbers and operators are left out. */
const write = ({ tag, children }: MathNode): string => {
  const inside = children.map((one) => (typeof one === 'string' ? one : write(one))).join(' ');
  return /^m(?:i|n|o|text)$/.test(tag) ? inside : `${tag}(${inside})`;
};
const inLine = (text: string): string => write(parseTex(text, false)).slice(5, -1);
const onLine = (text: string): string => write(parseTex(text, true)).slice(5, -1);

it.each([
  ['a+b', 'mrow(a + b)'],
  ['E = mc^2', 'mrow(E = m msup(c 2))'],
  ['x_{ij}^{2}', 'msubsup(x mrow(i j) 2)'],
  ["f''^2", 'msup(f mrow(′′ 2))'],
  ["x^{ab}'", 'msup(x mrow(′ mrow(a b)))'],
  ['\\frac12^34', 'mrow(msup(mfrac(1 2) 3) 4)'],
  ['\\frac{a}{b+1}', 'mfrac(a mrow(b + 1))'],
  ['\\sqrt[3]{x}', 'mroot(x 3)'],
  ['\\sin^2 x', 'mrow(msup(sin 2) mspace() x)'],
  ['\\alpha \\leq \\infty', 'mrow(α ≤ ∞)'],
  ['\\mathbb{R}\\mathcal{L}\\mathbf{x1}', 'mrow(ℝ ℒ mrow(𝐱 𝟏))'],
  ['\\left( \\frac{a}{b} \\middle| c \\right]', 'mrow(( mfrac(a b) | c ])'],
  ['\\text{if } x\\,', 'mrow(if\u00A0 x mspace())'],
  ['\\overline{x} \\hat y', 'mrow(mover(x ¯) mover(y ^))'],
  ['\\underbrace{a}_{n}', 'munder(munder(a ⏟) n)'],
  ['\\bigl(x\\bigr)', 'mrow(( x ))'],
  ['25\\%', 'mrow(25 %)'],
])('converts %s', (tex, math) => {
  expect(inLine(tex)).toBe(math);
});

it('puts limits above and below only in a formula of its own', () => {
  expect(inLine('\\sum_{i=1}^N i')).toBe('mrow(msubsup(∑ mrow(i = 1) N) i)');
  expect(onLine('\\sum_{i=1}^N i')).toBe('mrow(munderover(∑ mrow(i = 1) N) i)');
  expect(onLine('\\lim_{x \\to 0} \\int_0^1')).toBe('mrow(munder(lim mrow(x → 0)) msubsup(∫ 0 1))');
});

it('converts rows and columns', () => {
  expect(inLine('\\begin{pmatrix} a & b \\\\ c & d \\\\ \\end{pmatrix}')).toBe(
    'mrow(( mtable(mtr(mtd(a) mtd(b)) mtr(mtd(c) mtd(d))) ))',
  );
  expect(onLine('\\begin{aligned} a &= b \\\\ &= c \\end{aligned}')).toBe(
    'mtable(mtr(mtd(a) mtd(mrow(= b))) mtr(mtd(mrow()) mtd(mrow(= c))))',
  );
  expect(onLine('a \\\\ b')).toBe('mtable(mtr(mtd(a)) mtr(mtd(b)))');
});
