import { dirname, join } from 'node:path';
import type { Loaded, Source } from '../../diagnostics/model/diagnostic.js';
import { checkDocument, type CheckedDocument } from '../check/check-document.js';
import { createVariables } from '../read/shell-and-dotenv.js';
import { standInFor } from '../../protocol/environment.js';
import { profileOf } from '../../profiles/profile.js';
import type { Manifest } from '../model/manifest.js';
import { manifestKind } from '../check/manifest-kind.js';
import { normaliseManifest } from '../model/normalise-manifest.js';
import { createProjectFiles } from '../read/project-paths.js';
import { checkSource, readSource } from '../read/read-manifest-file.js';
import { declaredVariables } from '../model/secret-expressions.js';

export interface LoadManifestOptions {
  /** Absolute path of the manifest. */
  file: string;
  /** The text to check. By default, it is read from disk. */
  text?: string;
  /** Environment variables, which override those in the env file. */
  env?: Readonly<Record<string, string | undefined>>;
  /** An absolute path. `.env` in the manifest's folder by default. If false, no env file is read. */
  dotenv?: string | false;
  /** A name in the manifest's `envs`. Its fields replace those of the manifest, and `.env.<name>` is read as well. */
  environment?: string;
}

/** A manifest, or the problems in it. Positions refer to `source`. */
export type LoadedManifest = Loaded<Manifest> & { source: Source };

export function loadManifest(options: LoadManifestOptions): LoadedManifest {
  const { file, text, env = {}, environment } = options;
  const variables = createVariables(env, dotenvFiles(options));
  const checked = checkDocument(
    file,
    text === undefined ? readSource(file) : checkSource(text),
    manifestKind,
    { files: createProjectFiles(dirname(file)), variables },
    environment,
  );
  return finish(file, checked, variables);
}

/** Returns the paths of the env files, whether or not they exist. */
export const dotenvFiles = ({
  file,
  dotenv = join(dirname(file), '.env'),
  environment,
}: Pick<LoadManifestOptions, 'file' | 'dotenv' | 'environment'>): string[] =>
  dotenv === false
    ? []
    : [dotenv, ...(environment === undefined ? [] : [join(dirname(file), `.env.${environment}`)])];

/** Parses and checks the text of a manifest. Nothing is read from disk, so files and variables are not checked. */
export function parseManifest(text: string, file = 'platform-manifest.yaml'): LoadedManifest {
  return finish(file, checkDocument(file, checkSource(text), manifestKind), () => undefined);
}

function finish(
  file: string,
  { value, diagnostics, source }: CheckedDocument,
  variables: (name: string) => string | undefined,
): LoadedManifest {
  if (!value || diagnostics.some(({ severity }) => severity === 'error'))
    return { ok: false, diagnostics, source };
  const secrets = declaredVariables(value).map((secret) => ({
    ...secret,
    value: variables(secret.variable),
  }));
  const set = Object.fromEntries(
    secrets.flatMap(({ name, vault, value = vault && standInFor(name) }) => (value ? [[name, value]] : [])),
  );
  const unset = secrets.filter(({ name }) => set[name] === undefined).map(({ name }) => name);
  const profile = profileOf(file);
  const manifest: Manifest = {
    ...(profile && { profile }),
    file,
    folder: dirname(file),
    text: source.text,
    integration: {
      ...normaliseManifest(value, set, unset),
      ...(profile?.organizationInTarget && { organizationInTarget: true }),
    },
    secrets: secrets.map(({ value: secret, ...declared }) => ({ ...declared, isSet: Boolean(secret) })),
  };
  return { ok: true, value: manifest, diagnostics, source };
}
