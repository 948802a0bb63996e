import type { Beginning } from './beginning-of-body.js';

/** Which bodies the log keeps reading when the script does not read them to the end. */
export interface RestOfBodies {
  /** `unread`: only bodies that the script did not read at all. `any`: also bodies that the script stopped reading early. */
  of: 'unread' | 'any';
  /** Receives work that must be done before the process ends. */
  keep(work: Promise<void>): void;
}

interface RecordedBodyOptions {
  body: ReadableStream<Uint8Array>;
  received: Beginning;
  /** If undefined, only what the script reads is recorded. */
  rest: RestOfBodies | undefined;
  /** Called when the first chunk is requested. */
  begin(): void;
  /** Called with the length of each chunk that the script reads. */
  read(bytes: number): void;
  /**
   * Called once, when recording has stopped. `partly`: only the beginning was recorded, because the body failed or
   * neither the script nor the log read it to the end. `failure`: the error that the script received instead of the
   * rest.
   */
  finish(partly: boolean, failure?: { error: unknown }): void;
}

interface RecordedBody {
  body: ReadableStream<Uint8Array>;
  callEnded(): void;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Passes a body on to the script and records its beginning. */
export function createRecordedBody(options: RecordedBodyOptions): RecordedBody {
  const { body, received, rest, begin, read, finish } = options;
  let reader = body.getReader();
  let unread = true;
  let recording = true;

  const stop = (failure?: { error: unknown }): void => {
    if (!recording) return;
    recording = false;
    finish(failure !== undefined, failure);
  };
  const recordRest = (from: Reader, { keep }: RestOfBodies, why?: unknown): void => {
    recording = false;
    const work = readRest(from, received).then((whole) => {
      finish(!whole && unread);
      // Not awaited, because a copy is not canceled until its original is.
      from.cancel(why).catch(() => {});
    });
    keep(work);
  };

  const passed = new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      if (recording && unread) begin();
      unread &&= !recording;
      try {
        let { value } = await reader.read();
        // A byte stream does not accept empty chunks.
        while (value?.byteLength === 0) ({ value } = await reader.read());
        if (!value) {
          stop();
          controller.close();
          controller.byobRequest?.respond(0);
          return;
        }
        if (recording) {
          read(value.byteLength);
          received.add(value);
        }
        controller.enqueue(value as Uint8Array<ArrayBuffer>);
      } catch (error) {
        stop({ error });
        controller.error(error);
      }
    },
    async cancel(why) {
      // The script does not wait for the rest to be read.
      if (recording && rest && (unread || rest.of === 'any')) return recordRest(reader, rest, why);
      stop();
      await reader.cancel(why);
    },
  });

  return {
    body: passed,
    callEnded() {
      if (!recording || !rest || !unread) return stop();
      // Code that continues after the call can still read the body.
      reader.releaseLock();
      const [left, copy] = body.tee();
      reader = left.getReader();
      recordRest(copy.getReader(), rest);
    },
  };
}

/** Saved before a script can replace these functions. */
const { setTimeout, clearTimeout, Promise } = globalThis;

/** How long to keep reading a body that the script does not read to the end. */
const REST_MS = 500;

/** Reads until the body ends, enough has been recorded, or the time is up. Resolves to whether the body has ended. */
async function readRest(reader: Reader, received: Beginning): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), REST_MS);
  });
  try {
    while (!received.isFull()) {
      const next = await Promise.race([reader.read(), late]);
      if (!next) return false;
      if (next.done) return true;
      received.add(next.value);
    }
  } catch {
    // The connection has been closed.
  } finally {
    clearTimeout(timer);
  }
  return false;
}
