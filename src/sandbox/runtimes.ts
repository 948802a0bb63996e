import { join } from 'node:path';
import { UserError } from '../base/user-error.js';
import { nodeRuntime } from './node/node-runtime.js';
import type { RunReplay } from './replay/run-replay.js';
import type { FoundRuntime, NodeFacts, WorkerdFacts } from './process/script-process.js';
import { installCommand } from './workerd/find-workerd.js';
import type { WorkerdSearch } from './workerd/production-runtime.js';
import { hasNodeModules } from './workerd/workerd-config.js';

interface NodeSearch {
  node: string;
  /** This package's build output folder and version. */
  package: { folder: string; version: string };
}

interface RuntimeKind<Search, Facts> {
  /**
   * Resolves to undefined if the runtime is not installed. The result can start processes and includes details to
   * show to the user.
   */
  find(search: Search): Promise<FoundRuntime<Facts> | undefined>;
  /** Replays recorded calls. Resolves to undefined if the runtime is not installed. */
  replay(search: Search): Promise<RunReplay | undefined>;
  /** Returns the command that installs the runtime in a project. Absent if the runtime is never missing. */
  install?(folder: string): string;
  /** Whether a script may import Node modules if the project sets these compatibility flags. */
  allowsNodeModules(flags?: readonly string[]): boolean;
}

/** The runtimes that can run scripts. */
export const runtimes: {
  node: RuntimeKind<NodeSearch, NodeFacts>;
  workerd: RuntimeKind<WorkerdSearch, WorkerdFacts>;
} = {
  node: {
    find: async ({ node, package: { folder, version } }) => ({
      ...nodeRuntime({ childFile: join(folder, 'dist/sandbox/child/main.js'), node, version }),
      facts: { name: 'node' },
    }),
    replay: async ({ node, package: { folder, version } }) => {
      const { replayInNode } = await import('./node/replay-in-node.js');
      return replayInNode({ childFile: join(folder, 'dist/sandbox/child/replay.js'), node, version });
    },
    allowsNodeModules: () => false,
  },
  workerd: {
    // Loaded only when needed.
    find: async (search) => (await import('./workerd/production-runtime.js')).findProductionRuntime(search),
    replay: async (search) => (await import('./workerd/replay-in-workerd.js')).findReplayInWorkerd(search),
    install: installCommand,
    allowsNodeModules: hasNodeModules,
  },
};

/** Returns the result of the runtime's `find` or `replay`, or throws an error that explains how to install the runtime. */
export function requireRuntime<Found>(
  name: keyof typeof runtimes,
  found: Found | undefined,
  folder: string,
): Found {
  if (found !== undefined) return found;
  const { install } = runtimes[name];
  throw new UserError(
    `no-${name}`,
    `The runtime ${name} is not installed in this project.`,
    install && `Install it: ${install(folder)}`,
  );
}
