import { createBundler, type Bundle, type Bundler } from '../bundle/index.js';
import type { Loaded } from '../diagnostics/diagnostic.js';

export interface Builder {
  /** Begins a build that the next `build` of the same entry takes over. */
  begin(entry: string): void;
  build(entry: string): Promise<Loaded<Bundle>>;
  close(): Promise<void>;
}

/** Keeps what was built of an entry, until the manifest names another. */
export function createBuilder(folder: string, sdkFolder: string): Builder {
  let current: { entry: string; bundler: Bundler } | undefined;
  let begun: { entry: string; result: Promise<Loaded<Bundle>> } | undefined;

  const build = async (entry: string): Promise<Loaded<Bundle>> => {
    if (current?.entry !== entry) {
      await current?.bundler.close();
      current = { entry, bundler: createBundler({ entry, folder, sdk: { folder: sdkFolder } }) };
    }
    return current.bundler.build();
  };

  return {
    begin(entry) {
      begun = { entry, result: build(entry) };
      begun.result.catch(() => {});
    },
    async build(entry) {
      const first = begun;
      begun = undefined;
      return first?.entry === entry ? first.result : build(entry);
    },
    close: async () => current?.bundler.close(),
  };
}
