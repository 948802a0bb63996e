import { invalid } from '../http/http-error.js';

export interface Page<Item> {
  items: Item[];
  count: number;
  next?: { page: string };
}

const defaultLimit = 50;
const largestLimit = 1000;

/** Returns the page of a list that the query selects with `limit` and `page`. */
export function paginate<Item>(all: Item[], query: (name: string) => string | undefined): Page<Item> {
  const limit = readNumber('limit', query('limit'), defaultLimit);
  if (limit < 1 || limit > largestLimit) throw invalid(`limit must be a number from 1 to ${largestLimit}.`);
  const start = readNumber('page', query('page'), 0);
  const end = start + limit;
  const items = all.slice(start, end);
  return { items, count: all.length, ...(end < all.length && { next: { page: String(end) } }) };
}

function readNumber(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw invalid(`${name} must be a number.`);
  return Number(text);
}
