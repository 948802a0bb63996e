import { createBundler, type Bundle, type Bundler } from '../bundle/index.js';
import type { Loaded } from '../diagnostics/diagnostic.js';

export interface Builder {
  build(entry: string): Promise<Loaded<Bundle>>;
  close(): Promise<void>;
}

/** Keeps what was built of an entry, until the manifest names another. */
export function createBuilder(folder: string, sdkFolder: string): Builder {
  let current: { entry: string; bundler: Bundler } | undefined;
  return {
    async build(entry) {
      if (current?.entry !== entry) {
        await current?.bundler.close();
        current = { entry, bundler: createBundler({ entry, folder, sdk: { folder: sdkFolder } }) };
      }
      return current.bundler.build();
    },
    close: async () => current?.bundler.close(),
  };
}
