import { dirname } from 'node:path';
import { profileOf } from '../../profiles/profile.js';
import { createTurns } from '../../base/turns.js';
import { createBundler, type Bundle, type Bundler } from '../../bundle/index.js';
import type { Loaded } from '../../diagnostics/model/diagnostic.js';

export type Builder = ReturnType<typeof createBuilder>;

/** Keeps using the same bundler until the manifest specifies a different entry. */
export function createBuilder(manifestFile: string, sdkFolder: string) {
  const folder = dirname(manifestFile);
  const profile = profileOf(manifestFile);
  let current: { entry: string; bundler: Bundler } | undefined;
  let begun: { entry: string; result: Promise<Loaded<Bundle>> } | undefined;
  const inTurn = createTurns();
  let nodeModules = profile !== undefined;

  const build = async (entry: string): Promise<Loaded<Bundle>> => {
    if (current?.entry !== entry) {
      await current?.bundler.close();
      current = {
        entry,
        bundler: createBundler({ entry, folder, sdk: { folder: sdkFolder }, nodeModules, profile }),
      };
    }
    return current.bundler.build();
  };
  /** Runs one build at a time, because calling the bundler during a build makes it return the same result twice. */
  const buildNext = (entry: string): Promise<Loaded<Bundle>> => inTurn(() => build(entry));

  return {
    /** Starts a build ahead of time. The next `build` with the same entry uses this build. */
    begin(entry: string) {
      const result = buildNext(entry);
      result.catch(() => {});
      begun = { entry, result };
    },
    async build(entry: string) {
      const first = begun;
      begun = undefined;
      return first?.entry === entry ? first.result : buildNext(entry);
    },
    /** From the next build on, keeps imports of Node modules. */
    keepNodeModules: () => void (nodeModules = true),
    keepsNodeModules: () => nodeModules,
    /** After a failed build, returns the files to watch, because a change to any of them might fix the build. */
    lookedAt: async () => (await current?.bundler.lookedAt()) ?? [],
    /** Releases the bundler's memory. The next build starts from nothing. */
    rest: () =>
      inTurn(async () => {
        await current?.bundler.close();
        current = undefined;
      }),
    close: () => inTurn(async () => current?.bundler.close()),
  };
}
