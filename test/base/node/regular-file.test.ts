import { createFixture } from 'fs-fixture';
import { expect, test } from 'vitest';
import { readRegularFile } from '../../../src/base/node/regular-file.js';
import { makeFifo } from '../../support/make-fifo.js';

test('reads a regular file up to a size limit, and rejects anything else', async () => {
  await using fixture = await createFixture({ text: 'hello', folder: {} });
  const pipe = fixture.getPath('pipe');
  makeFifo(pipe);
  const file = fixture.getPath('text');
  const folder = fixture.getPath('folder');
  expect(readRegularFile(file).toString()).toBe('hello');
  expect(readRegularFile(file, 5).toString()).toBe('hello');
  expect(() => readRegularFile(file, 4)).toThrow(`${file} is 5 bytes, which is more than 4.`);
  expect(() => readRegularFile(folder, 5000)).toThrow(`${folder} is a folder, not a regular file.`);
  for (const limit of [undefined, 5])
    expect(() => readRegularFile(pipe, limit)).toThrow(`${pipe} is a FIFO, not a regular file.`);
});
