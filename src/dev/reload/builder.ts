import { createTurns } from '../../base/turns.js';
import { createBundler, type Bundle, type Bundler } from '../../bundle/index.js';
import type { Loaded } from '../../diagnostics/model/diagnostic.js';

export interface Builder {
  /** Starts a build that the next `build` of the same entry continues. */
  begin(entry: string): void;
  build(entry: string): Promise<Loaded<Bundle>>;
  /** After a failed build: the files that may have to change before the next build can succeed. */
  lookedAt(): Promise<string[]>;
  /** From the first build on, Node's modules are left as imports. */
  keepNodeModules(): void;
  keepsNodeModules(): boolean;
  close(): Promise<void>;
}

/** Keeps the bundler of an entry until the manifest names another entry. */
export function createBuilder(folder: string, sdkFolder: string): Builder {
  let current: { entry: string; bundler: Bundler } | undefined;
  let begun: { entry: string; result: Promise<Loaded<Bundle>> } | undefined;
  const inTurn = createTurns();
  let nodeModules = false;

  const build = async (entry: string): Promise<Loaded<Bundle>> => {
    if (current?.entry !== entry) {
      await current?.bundler.close();
      current = { entry, bundler: createBundler({ entry, folder, sdk: { folder: sdkFolder }, nodeModules }) };
    }
    return current.bundler.build();
  };
  /** One at a time: a bundler that is called while it builds returns the same result twice. */
  const buildNext = (entry: string): Promise<Loaded<Bundle>> => inTurn(() => build(entry));

  return {
    begin(entry) {
      const result = buildNext(entry);
      result.catch(() => {});
      begun = { entry, result };
    },
    async build(entry) {
      const first = begun;
      begun = undefined;
      return first?.entry === entry ? first.result : buildNext(entry);
    },
    keepNodeModules: () => void (nodeModules = true),
    keepsNodeModules: () => nodeModules,
    lookedAt: async () => (await current?.bundler.lookedAt()) ?? [],
    close: () => inTurn(async () => current?.bundler.close()),
  };
}
