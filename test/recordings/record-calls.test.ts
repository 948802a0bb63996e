import { expect, test } from 'vitest';
import { privateNumbersIn } from '../../src/recordings/record/possible-secrets.js';
import { countPersonalData } from '../../src/recordings/record/record-calls.js';

test('counts each email address and IP address once', () => {
  const text =
    'ada@example.com, "ada@example.com", bob+x@mail.example.org 10.0.0.1 10.0.0.1 127.0.0.1 1.2.3.4.5';
  expect(countPersonalData(text)).toEqual({ emails: 2, addresses: 1 });
});

test('counts the personal data in a large body without spaces within a second', { timeout: 1000 }, () => {
  for (const text of [
    'x'.repeat(2_000_000),
    '1.'.repeat(1_000_000),
    'a@'.repeat(1_000_000),
    `a@${'b'.repeat(1_000_000)}`,
  ])
    expect(countPersonalData(text)).toEqual({ emails: 0, addresses: 0 });
});

test.each([
  ['SSN 219-09-9999', ['a social security number']],
  ['DE89 3704 0044 0532 0130 00', ['an IBAN']],
  ['pay with 4242 4242 4242 4242', ['a card number']],
  ['my PIN is 4711', ['a PIN']],
  ['order 1234-56-7890, version 1.2.3, DE00 3704 0044 0532 0130 00, 1764000000000', []],
])('finds personal numbers in %s', (text, kinds) => {
  expect(privateNumbersIn(text)).toEqual(kinds);
});
