import { ruleRegistry } from '../../src/cli/context/rule-registry.js';
import { blocks, table } from './markdown.js';
import { problemLink } from './schema-keys.js';

const rooms: readonly [prefix: string, title: string][] = [
  ['manifest', 'In platform-manifest.yaml and platform.dev.yaml'],
  ['bundle', 'In the script'],
  ['content', 'In pages'],
  ['publish', 'Before publishing'],
];

export const problemsPage = (): string =>
  blocks(
    '# Problem codes',
    'These are the problems that `platform validate`, `platform dev` and `platform publish-check` report. `platform explain <code>` explains a problem.',
    ...rooms.flatMap(([prefix, title]) => [
      `## ${title}`,
      table(
        ['code', 'severity', 'problem'],
        ruleRegistry
          .filter(({ code }) => code.startsWith(`${prefix}/`))
          .map(({ code, severity, summary }) => [problemLink(code), severity, summary]),
      ),
    ]),
  );
