import { useState } from 'preact/hooks';
import { errorMessage } from '../../base/text/error-message.js';
import type { PageResource } from '../../contract/routes/content.js';
import { api, codeOf } from '../api/fetch-api.js';
import { showToast } from '../ui/toasts.js';

/** Changes the given page. Resolves to the page after the change. */
export type PageEdit = (page: PageResource) => Promise<PageResource>;

export interface PageEdits {
  page: PageResource;
  /** An edit that was not saved because the page had changed in the meantime. */
  rejected: PageEdit | undefined;
  /** Resolves to undefined if nothing was written. `on` is the page that was edited. */
  run(edit: PageEdit, on?: PageResource): Promise<PageResource | undefined>;
  /** Applies the rejected edit to the current page. */
  repeat(): Promise<void>;
  discard(): void;
}

/** The page as it was last read or written, and functions that change it. */
export function usePageEdits(read: PageResource, reload: () => void): PageEdits {
  const [own, setOwn] = useState<{ page: PageResource; over: PageResource }>();
  const [rejected, setRejected] = useState<PageEdit>();
  // A page that was just written is newer than the one read before it.
  const page = own?.over === read ? own.page : read;

  const run: PageEdits['run'] = async (edit, on = page) => {
    try {
      const written = await edit(on);
      setOwn({ page: written, over: read });
      setRejected(undefined);
      return written;
    } catch (error) {
      if (codeOf(error) === 'page-changed') {
        setRejected(() => edit);
        reload();
      } else showToast(errorMessage(error), 'bad');
      return undefined;
    }
  };

  return {
    page,
    rejected,
    run,
    async repeat() {
      if (!rejected) return;
      const { space, id } = page;
      await run(async () => rejected(await api('GET /content/page', { space, page: id })));
    },
    discard: () => setRejected(undefined),
  };
}
