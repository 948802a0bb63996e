import { expect, test } from 'vitest';
import { setPath } from '../../src/base/set-path.js';

test.each([
  ['a', { a: 1 }],
  ['by.0.name', { by: [{ id: 'u1', name: 1 }] }],
  ['by.1.name', { by: [{ id: 'u1' }, { name: 1 }] }],
  ['by.0', { by: [1] }],
  ['new.0', { by: [{ id: 'u1' }], new: { 0: 1 } }],
])('sets the value at the path %s in a document', (path, expected) => {
  const document = { by: [{ id: 'u1' }] };
  expect(setPath(document, path, 1)).toBeUndefined();
  expect(document).toMatchObject(expected);
  expect(Array.isArray(document.by)).toBe(true);
});

test.each([
  ['by.2.name', '2 is not an index of by, which has 1 item.'],
  ['by.01', '01 is not an index of by, which has 1 item.'],
  ['by.length', 'length is not an index of by, which has 1 item.'],
  ['by.__proto__.name', '__proto__ is not an index of by, which has 1 item.'],
  ['by..name', 'by..name is not a valid path.'],
  ['', ' is not a valid path.'],
])('rejects "%s" as a path into a document', (path, message) => {
  const document = { by: [{ id: 'u1' }] };
  expect(setPath(document, path, 1)?.message).toBe(message);
  expect(document).toEqual({ by: [{ id: 'u1' }] });
});

test("does not change a document's prototype or the objects that its values were copied from", () => {
  const user = { id: 'u1' };
  const document = { by: [user] };
  expect(setPath(document, '__proto__.evil', 1)).toBeUndefined();
  setPath(document, 'by.0.name', 'Ada');
  expect([Object.getPrototypeOf(document), ({} as { evil?: number }).evil, user]).toEqual([
    Object.prototype,
    undefined,
    { id: 'u1' },
  ]);
});
