import {
  applySeverities,
  createReport,
  type Report,
  type SeverityChoices,
  type Source,
  type Threshold,
} from '../../../diagnostics/index.js';
import { findClashes, loadDocument } from '../../../manifest/index.js';
import type { ChosenEnvironment } from '../../session/environment-options.js';

export interface CheckOptions extends Threshold {
  chosen?: ChosenEnvironment;
  env: Readonly<Record<string, string | undefined>>;
  choices: SeverityChoices;
}

export interface Checked {
  report: Report;
  sources: ReadonlyMap<string, Source>;
}

/** A manifest file, and its text if it should not be read from disk. */
export interface ManifestInput {
  file: string;
  text?: string;
}

export function checkManifests(inputs: readonly ManifestInput[], options: CheckOptions): Checked {
  const { env, choices, chosen } = options;
  const sources = new Map<string, Source>();
  const documents = inputs.map((input) => ({
    file: input.file,
    ...loadDocument({ ...input, ...chosen, env }),
  }));
  for (const { file, source } of documents) sources.set(file, source);
  const manifests = documents.filter((one) => one.kind === 'manifest');
  const all = [...documents.flatMap(({ diagnostics }) => diagnostics), ...findClashes(manifests)];
  const found = applySeverities(all, choices);
  const files = inputs.map(({ file }) => file);
  return { report: createReport(files, found, options), sources };
}
