import { expect, it } from 'vitest';
import { eachStore } from '../each-store.js';

eachStore((store) => {
  it.each([
    ['an object', { a: 1, b: { c: [true, null, 'x'] } }],
    ['a string with a NUL character', 'before\0after'],
    ['a lone surrogate', '\uD800'],
    ['true', true],
    ['null', null],
    ['a large number', 1_700_000_000_123],
    ['an empty string', ''],
  ])('returns a stored value unchanged: %s', (_, value) => {
    const { state } = store.open();
    state.put('things', 'id', value);
    expect(state.get('things', 'id')).toEqual(value);
  });

  it('returns nothing for a key that was never set or was deleted', () => {
    const { state } = store.open();
    expect(state.get('things', 'a')).toBeUndefined();
    state.put('things', 'a', 1);
    state.delete('things', 'a');
    expect(state.get('things', 'a')).toBeUndefined();
    expect(state.list('things')).toEqual([]);
  });

  it('lists the entries of a collection in the order in which they were added', () => {
    const { state } = store.open();
    for (const id of ['b', 'a', 'c']) state.put('things', id, { id });
    state.put('others', 'z', 0);
    state.put('things', 'b', { id: 'b', again: true });
    expect(state.list('things')).toEqual([
      { id: 'b', value: { id: 'b', again: true } },
      { id: 'a', value: { id: 'a' } },
      { id: 'c', value: { id: 'c' } },
    ]);
  });

  it('distinguishes ids that contain NUL', () => {
    const { state } = store.open();
    state.put('things', 'a\0b', 1);
    state.put('things', 'a\0c', 2);
    state.put('things', 'a', 3);
    expect(state.list('things')).toEqual([
      { id: 'a\0b', value: 1 },
      { id: 'a\0c', value: 2 },
      { id: 'a', value: 3 },
    ]);
  });

  it('copies objects when storing and returning them', () => {
    const { state } = store.open();
    const value = { list: [1] };
    state.put('things', 'a', value);
    value.list.push(2);
    state.get<typeof value>('things', 'a')?.list.push(3);
    expect(state.get('things', 'a')).toEqual({ list: [1] });
  });

  it('rolls back a transaction that throws, including nested transactions', () => {
    const { state } = store.open();
    state.put('things', 'a', 1);
    const work = (): void => {
      state.put('things', 'a', 2);
      state.transaction(() => state.put('things', 'b', 2));
      state.delete('things', 'a');
      throw new Error('no');
    };
    expect(() => state.transaction(work)).toThrow('no');
    expect(state.list('things')).toEqual([{ id: 'a', value: 1 }]);
    expect(state.transaction(() => state.get('things', 'a'))).toBe(1);
  });

  it('restores deleted entries to their original positions', () => {
    const { state } = store.open();
    for (const id of ['a', 'b', 'c']) state.put('things', id, 1);
    const work = (): void => {
      state.delete('things', 'a');
      state.put('things', 'a', 2);
      state.put('things', 'd', 2);
      state.delete('things', 'b');
      throw new Error('no');
    };
    expect(() => state.transaction(work)).toThrow('no');
    expect(state.list('things')).toEqual(['a', 'b', 'c'].map((id) => ({ id, value: 1 })));
  });
});
