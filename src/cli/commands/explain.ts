import { listCodes, readPage, renderPage } from '../../diagnostics/index.js';
import { nearest } from '../../base/did-you-mean.js';
import { UserError } from '../../base/user-error.js';
import { defineCommand, fine } from '../context/command.js';
import { docsFolder } from '../../base/package-files.js';

export const explain = defineCommand({
  name: 'explain',
  summary: 'explain a problem code',
  arguments: { '<code>': 'problem code, such as manifest/unknown-key' },
  examples: {
    'platform explain manifest/unknown-key': 'explain the problem and how to fix it',
    'platform explain unknown-key': 'pass the code without its prefix',
  },
  async run(context, [word = '']) {
    const codes = listCodes(docsFolder);
    const matching = codes.filter((code) => code === word || code.endsWith(`/${word}`));
    const [code] = matching;
    if (code === undefined || matching.length > 1) throw unknownCode(word, codes, matching);
    const page = readPage(code, docsFolder) ?? '';
    if (context.json) context.emit({ code, page });
    else if (!context.io.stdout.isTTY) context.print(page);
    else context.print(renderPage(page, { style: context.style, width: Math.min(context.width, 90) }));
    return fine;
  },
});

function unknownCode(word: string, codes: readonly string[], matching: readonly string[]): UserError {
  const short = new Map(codes.map((code) => [code.replace(/^.*\//, ''), code]));
  const near = nearest(word, codes) ?? short.get(nearest(word, short.keys()) ?? '');
  if (matching.length > 1)
    return new UserError(
      'unknown-code',
      `Several codes end with "${word}".`,
      `Choose one of ${matching.join(', ')}.`,
    );
  return new UserError(
    'unknown-code',
    `Unknown code: "${word}".`,
    near ? `Did you mean "${near}"?` : 'List all codes with: platform rules',
  );
}
