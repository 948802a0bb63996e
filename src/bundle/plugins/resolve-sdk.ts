import { existsSync } from 'node:fs';
import type { Plugin, ResolveResult } from 'esbuild';
import { findUp } from '../../base/node/folders-up.js';

export const SDK = 'integration-platform';
const RESOLVING = Symbol('resolving');

const isInstalled = (from: string): boolean => findUp(from, `node_modules/${SDK}/package.json`) !== undefined;

/**
 * Resolves imports of the SDK to the author's installed copy. If the author has not installed one, uses the running command's
 * copy, so that a new project works before its first install. The author's dependencies use the same copy as the author's
 * code.
 */
export const resolveSdk = ({ folder, sdkFolder }: { folder: string; sdkFolder: string }): Plugin => ({
  name: 'resolve-sdk',
  setup(build) {
    /** Cached, because asking the bundler takes as long as a rebuild of a small script. */
    const known = new Map<string, ResolveResult>();
    build.onResolve(
      { filter: new RegExp(`^${SDK}(/|$)`) },
      async ({ path, kind, resolveDir, pluginData }) => {
        if (pluginData === RESOLVING || isInstalled(resolveDir)) return undefined;
        const shared = isInstalled(folder) ? folder : sdkFolder;
        const question = JSON.stringify([path, kind, resolveDir, shared]);
        const answer = known.get(question);
        if (answer && existsSync(answer.path)) return answer;
        for (const from of new Set([resolveDir, shared])) {
          const found = await build.resolve(path, { kind, resolveDir: from, pluginData: RESOLVING });
          if (found.errors.length > 0) continue;
          known.set(question, found);
          return found;
        }
        return undefined;
      },
    );
  },
});
