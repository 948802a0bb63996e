import type { SiteOptions } from '../site-options.js';

export interface Followers {
  /** A stream that tells a page what has changed. */
  follow(): Response;
  /** Tells every page that this page of the site has changed. */
  changed(page: string): void;
  close(): void;
}

const beatMs = 15_000;
const mostFollowers = 64;

/** A page follows the site: it renders its blocks again when the script reloads, and itself when it is saved. */
export function createFollowers({ platform, timers }: Pick<SiteOptions, 'platform' | 'timers'>): Followers {
  const followers = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const stopping = new AbortController();
  const encoder = new TextEncoder();
  const tell = (line: string): void => {
    for (const follower of followers) follower.enqueue(encoder.encode(`${line}\n`));
  };
  const unsubscribe = platform.subscribe((event) => {
    if (event.type === 'reloaded' || event.type === 'state-loaded') tell('script');
  });
  /** Shows both sides that the connection is still open. */
  const beat = async (): Promise<void> => {
    for (;;) {
      await timers.sleep(beatMs, stopping.signal);
      tell('');
    }
  };
  beat().catch(() => {});

  return {
    follow() {
      if (followers.size >= mostFollowers) return new Response(null, { status: 503 });
      let own: ReadableStreamDefaultController<Uint8Array> | undefined;
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          own = controller;
          followers.add(controller);
          platform.readers.connect();
          controller.enqueue(encoder.encode('hello\n'));
        },
        cancel: () => void (own && followers.delete(own)),
      });
      return new Response(stream, {
        headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
      });
    },
    changed: (page) => tell(`page ${page}`),
    close() {
      stopping.abort();
      unsubscribe();
      for (const follower of followers) follower.close();
      followers.clear();
    },
  };
}
