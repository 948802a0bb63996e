import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packageFolder } from '../base/package-files.js';
import type { Bundle } from '../bundle/index.js';
import type { Diagnostic } from '../diagnostics/model/diagnostic.js';
import {
  devSettingsFileName,
  loadDevSettings,
  loadManifest,
  manifestFileName,
  manifestIn,
  type DevSettings,
  type Profile,
} from '../manifest/index.js';
import type { Integration } from '../protocol/integration.js';
import type { Workspace } from '../protocol/workspace.js';
import type { IntegrationScript } from '../runtime/index.js';
import { createStackMapper } from '../sandbox/index.js';
import type { TestPlatformOptions } from './test-platform.js';

export interface TestProject {
  folder: string;
  integration: Integration;
  profile: Profile | undefined;
  /** Values from `platform.dev.yaml`, as in `platform dev`. */
  workspace: Workspace;
  /** The settings for workerd, from the same file. */
  compatibility: Pick<DevSettings, 'compatibilityDate' | 'compatibilityFlags'>;
  /** The limits, from the same file. */
  limits: DevSettings['limits'];
}

type ProjectOptions = Pick<TestPlatformOptions, 'manifest' | 'folder' | 'secrets' | 'env'>;

/** Reads the project from its files, with the test's environment variables instead of the process's. */
export function readProject({ secrets = {}, env = {}, ...source }: ProjectOptions): TestProject {
  const { file, text } = locate(source);
  const folder = dirname(file);
  const loaded = loadManifest({ file, env, dotenv: join(file, 'none'), ...(text !== undefined && { text }) });
  if (!loaded.ok) throw mistakesIn(file, loaded.diagnostics);
  const settings = loadDevSettings(folder);
  if (!settings.ok) throw mistakesIn(join(folder, devSettingsFileName), settings.diagnostics);
  const { profile } = loaded.value;
  const {
    compatibilityDate = profile?.compatibilityDate,
    compatibilityFlags = profile?.compatibilityFlags,
    limits,
  } = settings.value;
  const declared = loaded.value.secrets.map(({ name }) => name);
  const unknown = Object.keys(secrets).find((name) => !declared.includes(name));
  if (unknown !== undefined) {
    throw new Error(
      `${file} declares no secret ${unknown}. ${declared.length > 0 ? `It declares ${declared.join(', ')}.` : 'It declares none.'}`,
    );
  }
  return {
    folder,
    profile,
    integration: {
      ...loaded.value.integration,
      secrets: { ...loaded.value.integration.secrets, ...secrets },
    },
    workspace: settings.value.workspace,
    limits,
    compatibility: {
      ...(compatibilityDate !== undefined && { compatibilityDate }),
      ...(compatibilityFlags && { compatibilityFlags }),
    },
  };
}

function locate({ manifest = '.', folder = '.' }: ProjectOptions): { file: string; text?: string } {
  // JSON is also valid YAML.
  if (typeof manifest === 'object' && !(manifest instanceof URL))
    return { file: join(pathOf(folder), manifestFileName), text: JSON.stringify(manifest) };
  const path = pathOf(manifest);
  return { file: /\.ya?ml$/.test(path) ? path : (manifestIn(path) ?? join(path, manifestFileName)) };
}

const pathOf = (given: string | URL): string => resolve(given instanceof URL ? fileURLToPath(given) : given);

function mistakesIn(file: string, diagnostics: readonly Diagnostic[]): Error {
  const lines = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ message, range }) => `  ${range ? `${range.start.line}:${range.start.column} ` : ''}${message}`);
  return new Error([`${file} has errors:`, ...lines].join('\n'));
}

export interface LoadedScript {
  integration: IntegrationScript;
  /** The size of the built script. Undefined if a test passes the integration itself. */
  bytes?: number;
  /** Replaces positions in the built script with positions in the author's files. */
  toSource?(text: string): string;
}

/** Builds the manifest's script, as `platform dev` does. */
export async function buildScript(
  { folder, integration, profile }: TestProject,
  { nodeModules = profile !== undefined } = {},
): Promise<Bundle> {
  if (integration.script === undefined) {
    throw new Error('The manifest has no script. Pass the integration itself.');
  }
  const { bundleOnce } = await import('../bundle/index.js');
  const entry = resolve(folder, integration.script);
  const sdk = { folder: fileURLToPath(packageFolder) };
  const built = await bundleOnce({ entry, folder, sdk, nodeModules, profile });
  if (!built.ok) throw mistakesIn(entry, built.diagnostics);
  return built.value;
}

/** Builds the script and loads it into this process. */
export async function loadScript(project: TestProject): Promise<LoadedScript> {
  const { code, map } = await buildScript(project);
  const folder = mkdtempSync(join(tmpdir(), 'platform-test-'));
  try {
    const file = join(folder, 'script.mjs');
    // Bundled packages written for Node may call require, which modules do not have.
    const require = `import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);`;
    writeFileSync(file, `${require} ${code}`);
    const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      default: IntegrationScript;
    };
    return {
      integration: module.default,
      bytes: Buffer.byteLength(code),
      toSource: createStackMapper({ file, map, hidden: [] }),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
