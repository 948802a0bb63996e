import type * as Pg from 'pg';
import { StoreError } from '../../base/store-error.js';

/** An optional dependency, which only users of the Postgres store install. */
export async function loadPg(): Promise<typeof Pg> {
  try {
    return await import('pg');
  } catch (cause) {
    throw new StoreError('store/driver', 'The Postgres store needs the npm package "pg".', {
      hint: 'Run `npm install pg`.',
      cause,
    });
  }
}
