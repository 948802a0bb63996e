import { runtimeNames, type RuntimeName } from '../../protocol/runtime-names.js';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Loaded, Source } from '../../diagnostics/model/diagnostic.js';
import { limitNames, type CallLimits } from '../../protocol/call-limits.js';
import type { OutboundMap, OutboundDouble } from '../../protocol/outbound-map.js';
import { defaultWorkspace, type Workspace } from '../../protocol/workspace.js';
import { checkDocument } from '../check/check-document.js';
import { devSettingsKind } from '../check/dev-settings-kind.js';
import { devSettingsFileName } from '../read/dev-settings-file.js';
import { loadManifest, type LoadedManifest, type LoadManifestOptions } from './load-manifest.js';
import type { ReadSource } from '../read/text-problems.js';
import { normaliseWorkspace } from '../model/normalise-workspace.js';
import { checkSource, readSource } from '../read/read-manifest-file.js';
import { textAt, textsAt, valueAt } from '../../base/value-at-path.js';

/** How the local platform starts and runs. */
export interface DevSettings {
  port?: number;
  consolePort?: number;
  sitePort?: number;
  runtime?: RuntimeName;
  /** The compatibility date for workerd. */
  compatibilityDate?: string;
  compatibilityFlags?: string[];
  /** Limits for calls. Calls that come close to a limit are marked. */
  limits?: CallLimits;
  /** Default: true. */
  recordOutboundDetails?: boolean;
  /** How to handle the script's outbound requests. */
  outbound?: OutboundMap;
  /** The name of an editor. */
  editor?: string;
  /** Folders or patterns of the integrations that run together in this folder. */
  together?: string[];
  workspace: Workspace;
}

export type LoadedDevSettings = Loaded<DevSettings> & { source: Source };

/** Loads the dev settings from the folder of a manifest. The file and all its fields are optional. */
export function loadDevSettings(folder: string): LoadedDevSettings {
  const file = join(folder, devSettingsFileName);
  if (existsSync(file)) return check(file, readSource(file));
  return { ok: true, value: { workspace: defaultWorkspace }, diagnostics: [], source: { text: '' } };
}

export const parseDevSettings = (text: string, file = devSettingsFileName): LoadedDevSettings =>
  check(file, checkSource(text));

/** Reads a file as dev settings or as a manifest, depending on its name. */
export function loadDocument(
  options: LoadManifestOptions,
): (LoadedDevSettings & { kind: 'settings' }) | (LoadedManifest & { kind: 'manifest' }) {
  const { file, text } = options;
  if (basename(file) !== devSettingsFileName) return { kind: 'manifest', ...loadManifest(options) };
  return { kind: 'settings', ...check(file, text === undefined ? readSource(file) : checkSource(text)) };
}

function check(file: string, read: ReadSource): LoadedDevSettings {
  const { value, diagnostics, source } = checkDocument(file, read, devSettingsKind);
  if (diagnostics.some(({ code, severity }) => severity === 'error' && code !== 'manifest/empty-document'))
    return { ok: false, diagnostics, source };
  const port = valueAt(value, ['port']);
  const consolePort = valueAt(value, ['consolePort']);
  const sitePort = valueAt(value, ['sitePort']);
  const details = valueAt(value, ['recordOutboundDetails']);
  const editor = textAt(value, 'editor');
  const together = textsAt(value, 'workspace').map(({ text }) => text);
  const settings = {
    ...(typeof port === 'number' && { port }),
    ...(typeof consolePort === 'number' && { consolePort }),
    ...(typeof sitePort === 'number' && { sitePort }),
    ...normaliseRuntime(value),
    ...normaliseLimits(value),
    ...normaliseOutbound(value),
    ...(typeof details === 'boolean' && { recordOutboundDetails: details }),
    ...(editor !== undefined && { editor }),
    ...(together.length > 0 && { together }),
    workspace: normaliseWorkspace(value),
  };
  return { ok: true, value: settings, diagnostics: value ? diagnostics : [], source };
}

function normaliseRuntime(
  value: unknown,
): Pick<DevSettings, 'runtime' | 'compatibilityDate' | 'compatibilityFlags'> {
  const runtime = runtimeNames.find((one) => one === textAt(value, 'runtime'));
  const compatibilityDate = textAt(value, 'compatibilityDate');
  const flags = textsAt(value, 'compatibilityFlags').map(({ text }) => text);
  return {
    ...(runtime && { runtime }),
    ...(compatibilityDate !== undefined && { compatibilityDate }),
    ...(flags.length > 0 && { compatibilityFlags: flags }),
  };
}

function normaliseLimits(value: unknown): Pick<DevSettings, 'limits'> {
  const given = limitNames.flatMap((name) => {
    const limit = valueAt(value, ['limits', name]);
    return typeof limit === 'number' ? [[name, limit] as const] : [];
  });
  return given.length > 0 ? { limits: Object.fromEntries(given) } : {};
}

/** Normalizes the value of `outbound` if it is set. The value has already been validated. */
function normaliseOutbound(value: unknown): { outbound?: OutboundMap } {
  const given = Object.entries(valueAt(value, ['outbound']) ?? {});
  if (given.length === 0) return {};
  const hosts = given.filter(([host]) => host !== '*').map(([host, double]) => [host, doubleFrom(double)]);
  return {
    outbound: {
      hosts: Object.fromEntries(hosts) as Record<string, OutboundDouble>,
      rest: given.some(([host, rest]) => host === '*' && rest === 'refuse') ? 'refuse' : 'pass',
    },
  };
}

function doubleFrom(value: unknown): OutboundDouble {
  const double = typeof value === 'string' ? { to: value } : (value as OutboundDouble);
  return double.to === undefined ? double : { ...double, to: new URL(double.to).origin };
}
