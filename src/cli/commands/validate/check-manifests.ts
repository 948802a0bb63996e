import {
  applySeverities,
  createReport,
  type Report,
  type SeverityChoices,
  type Source,
  type Threshold,
} from '../../../diagnostics/index.js';
import { loadManifest } from '../../../manifest/index.js';

export interface CheckOptions extends Threshold {
  env: Readonly<Record<string, string | undefined>>;
  choices: SeverityChoices;
}

export interface Checked {
  report: Report;
  sources: ReadonlyMap<string, Source>;
}

/** A file, with its text where that is not to be read from the disk. */
export interface ManifestInput {
  file: string;
  text?: string;
}

export function checkManifests(inputs: readonly ManifestInput[], options: CheckOptions): Checked {
  const { env, choices } = options;
  const sources = new Map<string, Source>();
  const found = inputs.flatMap((input) => {
    const { diagnostics, source } = loadManifest({ ...input, env });
    sources.set(input.file, source);
    return applySeverities(diagnostics, choices);
  });
  const files = inputs.map(({ file }) => file);
  return { report: createReport(files, found, options), sources };
}
