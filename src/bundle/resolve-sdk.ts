import type { Plugin } from 'esbuild';

export const SDK = 'integration-platform';
const RESOLVING = Symbol('resolving');

/**
 * The author's installed copy of the SDK, else the one that the command belongs to: a fresh project runs
 * before its first install. Dependencies of the author's share that copy.
 */
export const resolveSdk = ({ folder, sdkFolder }: { folder: string; sdkFolder: string }): Plugin => ({
  name: 'resolve-sdk',
  setup(build) {
    build.onResolve(
      { filter: new RegExp(`^${SDK}(/|$)`) },
      async ({ path, kind, resolveDir, pluginData }) => {
        if (pluginData === RESOLVING) return undefined;
        for (const from of new Set([resolveDir, folder, sdkFolder])) {
          const found = await build.resolve(path, { kind, resolveDir: from, pluginData: RESOLVING });
          if (found.errors.length === 0) return found;
        }
        return undefined;
      },
    );
  },
});
