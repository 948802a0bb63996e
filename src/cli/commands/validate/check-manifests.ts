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
  /** If set, the other files are only compared with these. */
  only?: ReadonlySet<string>;
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
  const { env, choices, chosen, only } = options;
  const isChecked = ({ file }: { file: string }): boolean => only?.has(file) ?? true;
  const sources = new Map<string, Source>();
  const documents = inputs.map((input) => ({
    file: input.file,
    ...loadDocument({ ...input, ...chosen, env }),
  }));
  for (const { file, source } of documents) sources.set(file, source);
  const manifests = documents
    .filter((one) => one.kind === 'manifest')
    // What two claim is reported for the later one.
    .sort((a, b) => Number(isChecked(a)) - Number(isChecked(b)));
  const all = [...documents.flatMap(({ diagnostics }) => diagnostics), ...findClashes(manifests)];
  const found = applySeverities(all.filter(isChecked), choices);
  const files = inputs.filter(isChecked).map(({ file }) => file);
  return { report: createReport(files, found, options), sources };
}
