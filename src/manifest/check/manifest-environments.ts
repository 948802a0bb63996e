import type { Diagnostic } from '../../diagnostics/model/diagnostic.js';
import { nearest } from '../../base/did-you-mean.js';
import type { LineIndex } from '../yaml/line-starts.js';
import { findEntry } from '../yaml/locate-problem.js';
import type { Entry, MapNode, Node } from '../yaml/tree.js';

export interface NamedEnvironment {
  name: string;
  /** The manifest with the environment's fields filled in. Each field keeps its position in the text. */
  root: Node;
}

/**
 * The maximum number of environments, as in the schema. Limited because each environment is checked together with the whole
 * manifest, which takes time.
 */
const maxEnvironments = 20;

export function environmentsOf(root: Node): NamedEnvironment[] {
  if (root.kind !== 'map') return [];
  return entriesOf(root)
    .slice(0, maxEnvironments)
    .flatMap(({ key, node }) =>
      node.kind === 'map' ? [{ name: key, root: replaceFields(root, node) }] : [],
    );
}

const entriesOf = (root: Node): Entry[] => {
  const envs = findEntry(root, ['envs'])?.node;
  return envs?.kind === 'map' ? envs.entries : [];
};

const replaceFields = (root: MapNode, { entries }: MapNode): MapNode => ({
  ...root,
  entries: [...root.entries.filter(({ key }) => !entries.some((own) => own.key === key)), ...entries],
});

/** Reports that the manifest does not have the environment given by `--env`. */
export function unknownEnvironment(
  name: string,
  root: Node,
  { file, lines }: { file: string; lines: LineIndex },
): Diagnostic {
  const known = entriesOf(root).map(({ key }) => key);
  const near = nearest(name, known);
  const { entry } = findEntry(root, ['envs']) ?? {};
  return {
    code: 'manifest/unknown-environment',
    severity: 'error',
    message: `The manifest has no environment "${name}".`,
    help: near
      ? `Did you mean ${near}?`
      : known.length > 0
        ? `Known environments: ${known.join(', ')}.`
        : `Add envs.${name}, or remove --env.`,
    file,
    range: lines.range(entry?.keyStart ?? 0, entry?.keyEnd ?? 0),
  };
}
