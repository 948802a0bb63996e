import { dirname } from 'node:path';
import { relativePath } from '../../base/node/relative-path.js';
import type { Diagnostic } from '../../diagnostics/model/diagnostic.js';
import type { Path } from '../../diagnostics/model/rule.js';
import type { Integration } from '../../protocol/integration.js';
import { createLocator } from '../yaml/locate-problem.js';

/** What only one of several integrations can have, and where it is in the manifest. */
interface Claim {
  code: string;
  severity: Diagnostic['severity'];
  what: string;
  path: Path;
  /** The part of the message after the name of the other manifest. */
  message(other: string): string;
  help: string;
}

/** The text of the manifest is read only if something is found. */
type Claiming = { file: string } & (
  | { ok: false }
  | { ok: true; value: { integration: Integration }; source: { readonly text: string } }
);

/** Reports what a manifest claims although an earlier one claims it, such as its name. */
export function findClashes(manifests: readonly Claiming[]): Diagnostic[] {
  const first = new Map<string, string>();
  return manifests.flatMap((manifest): Diagnostic[] => {
    if (!manifest.ok) return [];
    const { file, source } = manifest;
    return claimsOf(manifest.value.integration).flatMap(({ code, severity, what, path, message, help }) => {
      const key = `${code} ${what}`;
      const other = first.get(key);
      if (other === undefined) first.set(key, file);
      if (other === undefined || other === file) return [];
      return [
        {
          code,
          severity,
          message: message(relativePath(dirname(file), other)),
          help,
          file,
          range: createLocator(source.text)(path),
        },
      ];
    });
  });
}

const claimsOf = ({ name, blocks }: Integration): Claim[] => [
  {
    code: 'manifest/duplicate-name',
    severity: 'error',
    what: name,
    path: ['name'],
    message: (other) => `Another manifest in this run is also named ${name}: ${other}.`,
    help: 'Give each integration its own name.',
  },
  ...blocks.flatMap(({ id, markdown, urlUnfurl }, nth): Claim[] => [
    ...(markdown
      ? [
          {
            code: 'manifest/duplicate-fence',
            severity: 'warning' as const,
            what: markdown.codeblock,
            path: ['blocks', nth, 'markdown', 'codeblock'],
            message: (other: string) =>
              `The block ${id} claims code fences of the language ${markdown.codeblock}, which a block in ${other} claims too.`,
            help: 'Where both are installed, only one of them renders these fences. Choose another language.',
          },
        ]
      : []),
    ...urlUnfurl.map((link, at): Claim => ({
      code: 'manifest/duplicate-link',
      severity: 'warning',
      what: link,
      path: ['blocks', nth, 'urlUnfurl', at],
      message: (other) => `The block ${id} unfurls ${link}, which a block in ${other} unfurls too.`,
      help: 'Where both are installed, only one of them gets these links. Make the pattern narrower.',
    })),
  ]),
];
