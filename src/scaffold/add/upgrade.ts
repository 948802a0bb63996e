import { join } from 'node:path';
import { readRegularFile } from '../../base/node/regular-file.js';
import { relativePath } from '../../base/node/relative-path.js';
import { expandGlob } from '../../manifest/read/glob.js';
import type { Addition } from './addition.js';
import type { ExistingProject } from './existing-project.js';

/** A change between two versions that a project can depend on. */
interface Change {
  files: string;
  /** Text that only affected files contain. */
  marker?: string;
  was: RegExp;
  /** If this is missing, only the author can make the change. */
  now?: string;
  why: string;
}

const commands =
  '{package.json,Dockerfile,Makefile,*.{sh,yml,yaml},scripts/**/*,.github/workflows/*.{yml,yaml},.husky/*}';
const sources = '**/*.{ts,tsx,mts,js,jsx,mjs}';
const testing = 'integration-platform/testing';
const webhooks = 'integration-platform/webhooks';

const changes = (version: string): Change[] => [
  {
    files: 'package.json',
    was: /("integration-platform":\s*"[\^~]?)0\.[12]\.\d+"/g,
    now: `$1${version}"`,
    why: `The project depends on ${version}. Install it with your package manager.`,
  },
  {
    files: 'package.json',
    was: /"integration-platform":\s*"file:[^"]*-0\.[12]\.\d+\.tgz"/g,
    why: `The project depends on the packed file of an earlier version. Install the file of ${version}.`,
  },
  {
    files: commands,
    was: /\bplatform webhook (worker|status|migrate|encrypt-secrets)\b/g,
    now: 'platform-webhooks $1',
    why: 'Webhook delivery from Postgres has its own command, platform-webhooks.',
  },
  {
    files: commands,
    was: /\bplatform(?:-webhooks| webhook) .*--database\b/g,
    why: '--database no longer exists. Set PLATFORM_DATABASE_URL instead.',
  },
  {
    files: commands,
    was: /(\bplatform [^|&;"\n]*)--env-file\b/g,
    now: '$1--dotenv',
    why: '--env-file is now --dotenv.',
  },
  {
    files: commands,
    was: /(\bplatform dev\b[^|&;"\n]*)--no-install\b/g,
    now: '$1--not-installed',
    why: '--no-install is now --not-installed.',
  },
  {
    files: 'platform.dev.yaml',
    was: /^(?:console|site)Port:.*(?:\r?\n|$)/gm,
    now: '',
    why: 'A project can no longer choose these ports. Use "platform dev --console-port" or "--site-port".',
  },
  {
    files: 'platform.dev.yaml',
    was: /^editor:(?!\s*(["']?)(?:vscode|cursor|idea)\1\s*(?:#|$)).*$/gm,
    why: 'A project can no longer choose a command as its editor. Set PLATFORM_EDITOR instead.',
  },
  {
    files: sources,
    marker: testing,
    was: /\bTestPlace\b/g,
    now: 'TestTarget',
    why: 'The type TestPlace is now TestTarget.',
  },
  {
    files: sources,
    marker: webhooks,
    was: /\bEndpointPlace\b/g,
    now: 'EndpointTarget',
    why: 'The type EndpointPlace is now EndpointTarget.',
  },
  {
    files: sources,
    marker: webhooks,
    was: /\bplace\s*:/g,
    why: "An endpoint's place is now its target.",
  },
  {
    files: sources,
    marker: webhooks,
    was: /\bcreateMemoryDeliveryStore\(\s*\)/g,
    why: 'createMemoryDeliveryStore() needs a clock: { clock: systemClock }.',
  },
  {
    files: sources,
    marker: webhooks,
    was: /\bimplements DeliveryStore\b|: DeliveryStore = \{/g,
    why: 'recordOutcome must resolve to the delivery in its new state, or to undefined if it dropped the outcome.',
  },
];

/** Rewrites what earlier versions called differently. `changed` and `byHand` give the line and the reason of each place. */
export function upgrade({ folder }: ExistingProject, version: string): Addition & { changed: string[] } {
  const result = { files: new Map<string, string>(), byHand: [] as string[], changed: [] as string[] };
  for (const { files, marker = '', was, now, why } of changes(version))
    for (const path of expandGlob(files, folder).map((file) => relativePath(folder, file))) {
      // Only files that would be rewritten must be UTF-8.
      const text = result.files.get(path) ?? readRegularFile(join(folder, path)).toString('utf8');
      if (!text.includes(marker)) continue;
      for (const { index } of text.matchAll(was))
        (now === undefined ? result.byHand : result.changed).push(
          `${path}:${text.slice(0, index).split('\n').length} ${why}`,
        );
      const rewritten = now === undefined ? text : text.replace(was, now);
      if (rewritten !== text) result.files.set(path, rewritten);
    }
  return result;
}
