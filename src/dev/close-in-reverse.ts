type Close = () => void | Promise<void>;

export interface Closing {
  add(close: Close): void;
  /** Closes in reverse order. If one part fails to close, the others are still closed. */
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
