import { readdirSync, readFileSync } from 'node:fs';
import { blocks } from './markdown.js';

const docs = new URL('../../docs/', import.meta.url);

const pagesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, docs))
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .map((file) => `${folder}${file}`);

/** A link with the title of the page and its first sentence. */
function lineOf(page: string): string {
  const text = readFileSync(new URL(page, docs), 'utf8').replaceAll(/<!--[^]*?-->/g, '');
  const title = /^# (.*)$/m.exec(text)?.[1] ?? page;
  const first = /^# .*\n+([A-Z`][^]*?)\n\n/m.exec(text)?.[1]?.replaceAll('\n', ' ') ?? '';
  const sentence = /^.*?[.:](?= |$)/.exec(first)?.[0].replace(/:$/, '.') ?? first;
  const plain = sentence.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return `- [${title}](${page})${plain === '' ? '' : `: ${plain}`}`;
}

/** `docs/llms.txt`: the pages that the package contains, for programs that read documentation. */
export const llmsText = (): string =>
  blocks(
    '# integration-platform',
    '> Build, run and check integrations for a documentation platform, offline, from your terminal. The command is `platform`; scripts import `integration-platform`. Paths are relative to this file.',
    '## Guides',
    pagesIn('guides/').map(lineOf).join('\n'),
    '## Reference',
    pagesIn('reference/').map(lineOf).join('\n'),
    '## More',
    ['README.md', 'concepts.md', 'architecture.md', 'benchmarks.md'].map(lineOf).join('\n'),
  );
