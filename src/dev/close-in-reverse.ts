type Close = () => void | Promise<void>;

export interface Closing {
  add(close: Close): void;
  /** What came last goes first. A part that fails to close does not keep the others open. */
  close(): Promise<void>;
}

export function createClosing(): Closing {
  const parts: Close[] = [];
  return {
    add: (close) => void parts.push(close),
    async close() {
      const failures: unknown[] = [];
      for (let part = parts.pop(); part; part = parts.pop()) {
        try {
          await part();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
