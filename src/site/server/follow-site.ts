import type { Revision } from '../../content/index.js';
import type { SiteOptions } from '../site-options.js';

export interface Followers {
  /** Returns a stream that reports changes to a page. */
  follow(): Response;
  close(): void;
}

const beatMs = 15_000;
const mostFollowers = 64;

/**
 * Every open page follows the site. It renders its blocks again when the script reloads, and reloads when its own file is
 * saved.
 */
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
  const ends = platform.readers
    .spaces()
    .flatMap(({ id }) => platform.content(id)?.subscribe((revision) => tell(lineOf(revision))) ?? []);
  /** Sends a regular heartbeat, so that both sides notice a lost connection. */
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
    close() {
      stopping.abort();
      unsubscribe();
      for (const end of ends) end();
      for (const follower of followers) follower.close();
      followers.clear();
    },
  };
}

/** Returns the pages whose text has changed, or `pages` if the navigation has also changed. */
function lineOf({ changes }: Revision): string {
  const edited = changes.flatMap((change) =>
    change.type === 'page_edited' && Object.keys(change.attributes).every((name) => name === 'documentId')
      ? [change.page.id]
      : [],
  );
  return edited.length === changes.length ? `page ${edited.join(' ')}` : 'pages';
}
