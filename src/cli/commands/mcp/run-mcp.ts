import { relativePath } from '../../../base/node/relative-path.js';
import { docsFolder } from '../../../base/package-files.js';
import { findDocuments } from '../../../manifest/index.js';
import { listCodes, readPage } from '../../../diagnostics/index.js';
import { fine, type CommandContext, type Outcome } from '../../context/command.js';
import { platformVersion } from '../../context/version.js';
import { parseSeverityChoices } from '../../context/severity-choices.js';
import { connectHere } from '../../session/connect.js';
import { settledCalls } from '../../session/settled-calls.js';
import { checkManifests } from '../validate/check-manifests.js';
import type { ManifestProblem } from '../../../mcp/index.js';

export async function runMcp(
  context: CommandContext,
  { allowChanges = false }: { allowChanges?: boolean },
): Promise<Outcome> {
  const { io, note } = context;
  const signal = io.takeInterrupts();
  if (io.stdin.isTTY)
    note(
      'Waiting for a Model Context Protocol client. Agents start this command themselves. Press Ctrl-C to stop.',
    );
  const { serveMcp } = await import('../../../mcp/index.js');
  const { listPages, searchPages } = await import('../docs/search-pages.js');
  const pages = () => listPages(docsFolder);
  await serveMcp({
    allowChanges,
    input: io.stdin.chunks(signal),
    write: (text) => io.stdout.write(text),
    report: note,
    world: {
      version: platformVersion,
      connect: async () => (await connectHere(context)).call,
      async settled(call, id) {
        const settled = await settledCalls({ call }, [id], { io, note });
        return settled.get(id);
      },
      validate: () => checkManifest(context),
      docs: { pages, search: (words) => searchPages(pages(), words.split(/\s+/)) },
      codes: { list: () => listCodes(docsFolder), page: (code) => readPage(code, docsFolder) },
    },
  });
  signal.throwIfAborted();
  return fine;
}

function checkManifest({ cwd, io }: CommandContext): ManifestProblem[] {
  const inputs = findDocuments([], cwd).map((file) => ({ file }));
  const { diagnostics } = checkManifests(inputs, {
    env: io.env,
    choices: parseSeverityChoices([], false, []),
  }).report;
  return diagnostics.map(({ code, severity, message, help, file, range }) => ({
    code,
    severity,
    message,
    ...(help !== undefined && { help }),
    file: relativePath(cwd, file),
    ...(range && { line: range.start.line, column: range.start.column }),
  }));
}
