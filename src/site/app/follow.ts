import type { PageData } from '../block-data.js';
import type { Client } from './client.js';

interface Reactions {
  scriptChanged(): void;
  pageChanged(): void;
  /** The platform stopped responding, or responds again. */
  connected(isBack: boolean): void;
}

const pauseMs = 2_000;

/** Follows changes on the site until the page is closed, or until the platform restarts and the key becomes invalid. */
export function followSite(page: PageData, client: Client, reactions: Reactions): void {
  const leaving = new AbortController();
  addEventListener('pagehide', () => leaving.abort());

  let isLost = false;
  const note = (lost: boolean): void => {
    if (lost !== isLost) reactions.connected(!lost);
    isLost = lost;
  };
  const read = async (): Promise<void> => {
    const { body } = await client.post('follow', {}, leaving.signal);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return;
      note(false);
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === 'script') reactions.scriptChanged();
        const [word, ...changed] = line.split(' ');
        if (word === 'pages' || (word === 'page' && changed.includes(page.page))) reactions.pageChanged();
      }
    }
  };
  const follow = async (): Promise<void> => {
    while (!leaving.signal.aborted) {
      await read().catch(() => leaving.signal.aborted || note(true));
      await new Promise((done) => setTimeout(done, pauseMs));
    }
  };
  void follow();
}
