import { expect, it } from 'vitest';
import { parseEnv } from '../../../src/manifest/read/shell-and-dotenv.js';

it.each<[text: string, variables: Record<string, string>]>([
  ['A=1\nB=two words', { A: '1', B: 'two words' }],
  ['export A=1', { A: '1' }],
  ['A = 1 ', { A: '1' }],
  ['# A=1\nB=2 # why', { B: '2' }],
  ['A=a#b', { A: 'a#b' }],
  ['A="a # b"\nB=\'c # d\'', { A: 'a # b', B: 'c # d' }],
  ['A="one\\ntwo"\nB=\'one\\ntwo\'', { A: 'one\ntwo', B: 'one\\ntwo' }],
  ['A="one\ntwo"\nB=3', { A: 'one\ntwo', B: '3' }],
  ['A=\nB=""', { A: '', B: '' }],
  ['A=1\r\nB=2\r\n', { A: '1', B: '2' }],
  ['A=$B ${B} ${{ env.B }}', { A: '$B ${B} ${{ env.B }}' }],
  ['A=1\nA=2', { A: '2' }],
  ['not a line\n1A=1', {}],
  ['\uFEFFA=1', { A: '1' }],
])('reads the variables in %j', (text, variables) => {
  expect(parseEnv(text)).toEqual(variables);
});
