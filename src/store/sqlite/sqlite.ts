import Libsql from 'libsql';
import { StoreError } from '../../base/store-error.js';

/** The types of values that can be bound. Booleans are not included, because they crash the driver. */
export type Bindable = string | number | null | Uint8Array;
export type Cell = string | number | null | Uint8Array;

interface Statement {
  /** Returns the number of rows that changed and the id of the last inserted row. */
  run(...values: Bindable[]): { changes: number; lastId: number };
  first(...values: Bindable[]): Cell[] | undefined;
  all(...values: Bindable[]): Cell[][];
}

/**
 * What a commit survives. `machine`: even a crash of the machine, because the commit is synced to disk. `process`:
 * only a crash of the process, because the commit is not synced until the next `machine` commit.
 */
export type Outlives = 'machine' | 'process';

export interface Sqlite {
  exec(sql: string): void;
  /** Always returns the same statement for the same SQL. */
  prepare(sql: string): Statement;
  /**
   * Commits everything or nothing. By default, the commit is synced to disk. A nested transaction becomes part of the
   * outer one.
   */
  transaction<T>(work: () => T, outlives?: Outlives): T;
  close(): void;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Text from other sources is stored as bytes, because the driver truncates text at the first NUL. */
export const toBlob = (text: string): Uint8Array => Buffer.from(text);
export const fromBlob = (cell: Cell | undefined): string =>
  cell instanceof Uint8Array ? decoder.decode(cell) : String(cell ?? '');

/** The driver returns some blobs as a Buffer and others as an ArrayBuffer. */
function toCell(value: unknown): Cell {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

const toRow = (row: unknown): Cell[] => (Array.isArray(row) ? row.map(toCell) : []);

/** The only code that uses the driver directly. Works around the driver's pitfalls. */
export function openSqlite(file: string, busyTimeoutMs = 5000): Sqlite {
  const explained = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw explainError(error, file);
    }
  };

  const database = explained(() => new Libsql(file, { timeout: busyTimeoutMs }));
  const statements = new Map<string, Statement>();

  const prepare = (sql: string): Statement => {
    const prepared = explained(() => database.prepare(sql));
    if (prepared.reader) prepared.raw();
    return {
      run: (...values) =>
        explained(() => {
          const { changes, lastInsertRowid } = prepared.run(values);
          return { changes, lastId: Number(lastInsertRowid) };
        }),
      first: (...values) =>
        explained(() => {
          const row = prepared.get(values);
          return row === undefined ? undefined : toRow(row);
        }),
      all: (...values) => explained(() => prepared.all(values).map(toRow)),
    };
  };

  const runTransaction = <T>(work: () => T): T => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      // If the disk was full, SQLite has already rolled back the transaction.
      if (database.inTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };

  const unsynced = <T>(work: () => T): T => {
    database.exec('PRAGMA synchronous = NORMAL');
    try {
      return work();
    } finally {
      database.exec('PRAGMA synchronous = FULL');
    }
  };

  return {
    exec: (sql) => explained(() => void database.exec(sql)),
    prepare(sql) {
      const statement = statements.get(sql) ?? prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
    transaction(work, outlives = 'machine') {
      if (database.inTransaction) return work();
      return explained(() =>
        outlives === 'machine' ? runTransaction(work) : unsynced(() => runTransaction(work)),
      );
    },
    close: () => void database.close(),
  };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Explains a database error to the person running the platform. Returns other errors unchanged. */
function explainError(error: unknown, file: string): unknown {
  const code = codeOf(error);
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) {
    return new StoreError('store/corrupt', `The state file ${file} is damaged and cannot be read.`, {
      hint: 'To keep the file, move it to another folder. To start over, run `platform dev --fresh`.',
      cause: error,
    });
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new StoreError('store/busy', `The state file ${file} is in use by another process.`, {
      hint: 'Stop the other process, then try again.',
      cause: error,
    });
  }
  if (/^SQLITE_(FULL|IOERR)/.test(code)) {
    return new StoreError(
      'store/full',
      `The state file ${file} could not be written. The disk may be full.`,
      { hint: 'Free some space. Everything already reported as saved is safe.', cause: error },
    );
  }
  return /^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/.test(code) ? unreadable(file, error) : error;
}

export const unreadable = (file: string, cause: unknown): StoreError =>
  new StoreError('store/unreadable', `The state file ${file} cannot be opened for writing.`, {
    hint: 'Check the permissions of the file and its folder.',
    cause,
  });
