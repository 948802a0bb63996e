import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { at, readBlocks, readPage, repository, type CodeBlock } from './code-blocks.js';
import { openShell, type Shell } from './guide-shell.js';
import { printedUntil, sameOutput, steady } from './same-output.js';
import { typeErrors } from './type-check.js';

const installed = [
  'integration-platform',
  'vitest',
  'typescript',
  '@types/node',
  'hono',
  '@hono/node-server',
  'pg',
];
const programs = {
  platform: 'integration-platform/bin/platform.js',
  vitest: 'vitest/vitest.mjs',
  tsc: 'typescript/bin/tsc',
};

/** Starts an installed program without npm, which takes longer than the program does. */
const npx = `#!/bin/sh
for bin in node_modules/.bin "$(dirname "$0")"; do
  [ -e "$bin/$1" ] && { program="$bin/$1"; shift; exec "$program" "$@"; }
done
PATH="\${PATH#*:}" exec npx "$@"
`;

/** Creates an empty folder. The packages that a reader installs are in `node_modules` above it. */
function makeFolder(): { top: string; folder: string } {
  const top = mkdtempSync(join(tmpdir(), 'platform-guide-'));
  const modules = join(top, 'node_modules');
  for (const name of installed) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(
      name === 'integration-platform' ? repository : join(repository, 'node_modules', name),
      join(modules, name),
    );
  }
  mkdirSync(join(modules, '.bin'));
  for (const [name, target] of Object.entries(programs))
    symlinkSync(`../${target}`, join(modules, '.bin', name));
  writeFileSync(join(modules, '.bin/npx'), npx, { mode: 0o755 });
  const folder = join(top, 'guide');
  mkdirSync(folder);
  return { top, folder };
}

class GuideError extends Error {}

/** Returns the commands in a transcript, each with the output below it. */
function readSteps(block: CodeBlock): { command: string; output: string; line: number }[] {
  const steps: { command: string; output: string; line: number }[] = [];
  for (const [index, line] of block.code.split('\n').slice(0, -1).entries()) {
    const last = steps.at(-1);
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), output: '', line: block.line + index });
    else if (line.startsWith('> ') && last?.command.endsWith('\\')) last.command += `\n${line.slice(2)}`;
    else if (last) last.output += `${line}\n`;
    else throw new GuideError(`${at(block, index)}: a transcript begins with a command: $ …`);
  }
  return steps;
}

export interface GuideRun {
  steps: number;
  files: number;
  /** The page, updated with the outputs of this run if they differ. */
  text: string;
}

const recordedId = /\b(?:call|evt|dlv|whe)_[0-9A-Za-z]{4,}/g;

class Guide {
  /** Files that were written but not checked yet. */
  private readonly unchecked = new Map<string, CodeBlock>();
  /** How much of the background programs' output has been compared so far. */
  private seen = 0;
  private readonly ids = new Map<string, string>();
  private readonly done: GuideRun;
  private readonly shell: Shell;
  private readonly update: boolean;

  constructor(page: string, shell: Shell, update: boolean) {
    this.done = { steps: 0, files: 0, text: readPage(page) };
    this.shell = shell;
    this.update = update;
  }

  async run(blocks: readonly CodeBlock[]): Promise<GuideRun> {
    for (const block of blocks) await this.runBlock(block);
    this.checkTypes();
    return this.done;
  }

  private async runBlock(block: CodeBlock): Promise<void> {
    const { name, text } = block.mark ?? { name: '', text: '' };
    if (name === 'not run' || name === 'run by') return;
    if (name === 'file' || name === 'append') await this.writeFile(block, text);
    else if (name === 'background') await this.startProgram(block, text);
    else if (name === 'output') await this.waitForOutput(block, block.code);
    else if (name === 'run') await this.runScript(block);
    else if (block.language === 'console') await this.replay(block);
  }

  private async writeFile(block: CodeBlock, path: string): Promise<void> {
    const file = join(this.shell.folder(), path);
    if (this.unchecked.has(file)) this.checkTypes();
    mkdirSync(dirname(file), { recursive: true });
    if (block.mark?.name === 'append') appendFileSync(file, block.code);
    else writeFileSync(file, block.code);
    this.done.files += 1;
    if (/\.[cm]?[jt]sx?$/.test(file)) this.unchecked.set(file, block);
    await this.shell.waitForReload();
  }

  private checkTypes(): void {
    const files = new Map([...this.unchecked.keys()].map((file) => [file, readFileSync(file, 'utf8')]));
    const errors = typeErrors(files).map(({ file, line, message }) => {
      const block = this.unchecked.get(file);
      return block ? `${at(block, line - 1)}: ${message}` : message;
    });
    this.unchecked.clear();
    if (errors.length > 0) throw new GuideError(errors.join('\n'));
  }

  private async startProgram(block: CodeBlock, text: string): Promise<void> {
    const [step] = block.language === 'console' ? readSteps(block) : [];
    this.shell.start(step?.command ?? block.code);
    const ready = text === 'dev' ? /ready in |"type":"ready"/ : text;
    await this.waitFor(
      block,
      (output) => (ready instanceof RegExp ? ready.test(output) : output.includes(ready)),
      text,
    );
    if (step?.output) await this.waitForOutput(block, step.output);
    this.done.steps += 1;
  }

  /** Searches for each output block after the previous one. */
  private async waitForOutput(block: CodeBlock, expected: string): Promise<void> {
    let end = -1;
    const fits = (output: string): boolean => (end = printedUntil(expected, output, this.seen)) >= 0;
    await this.waitFor(block, fits, expected);
    this.seen = end;
  }

  private async waitFor(
    block: CodeBlock,
    fits: (output: string) => boolean,
    expected: string,
  ): Promise<void> {
    const { found, output } = await this.shell.waitForOutput(fits);
    if (!found)
      throw new GuideError(`${at(block)}: expected in the output:\n${expected}\nbut got:\n${output}`);
  }

  private async runScript(block: CodeBlock): Promise<void> {
    const { code, output } = await this.shell.run(block.code);
    if (code !== 0) throw new GuideError(`${at(block)}: exit ${code}:\n${output}`);
    this.done.steps += 1;
  }

  /** Ids differ in each run, so this maps each id on the page to the one printed in its place. */
  private learnIds(expected: string, printed: string): void {
    const [shown, actual] = [expected, printed].map((text) => text.match(recordedId) ?? []);
    for (const [index, id] of (shown ?? []).entries())
      if (!this.ids.has(id)) this.ids.set(id, actual?.[index] ?? id);
  }

  private readonly withIds = (command: string): string =>
    command.replaceAll(recordedId, (id) => this.ids.get(id) ?? id);

  private async replay(block: CodeBlock): Promise<void> {
    let actual = '';
    // Otherwise, the build at startup would be taken for the build that a command causes.
    this.seen = Math.max(this.seen, this.shell.printed());
    for (const { command, output: expected, line } of readSteps(block)) {
      const { code, output } = await this.shell.run(this.withIds(command));
      const ended = output.endsWith('\n') || output === '' ? output : `${output}\n`;
      const printed = `${ended}${code === 0 ? '' : `[exit ${code}]\n`}`;
      const same = sameOutput(expected, printed);
      if (same) this.learnIds(expected, printed);
      actual += `$ ${command.replaceAll('\n', '\n> ')}\n${same ? expected : printed}`;
      if (!same && !this.update)
        throw new GuideError(
          `${block.page}:${line}: $ ${command}\n--- expected\n${steady(expected)}--- actual\n${steady(printed)}Correct the page or the command. UPDATE_TRANSCRIPTS=1 writes the whole actual output into the page.`,
        );
      this.done.steps += 1;
    }
    this.done.text = this.done.text.replace(`\`\`\`console\n${block.code}`, () => `\`\`\`console\n${actual}`);
  }
}

/** Runs a page from top to bottom. With `UPDATE_TRANSCRIPTS=1`, its outputs are replaced with those of this run. */
export async function runGuide(page: string): Promise<GuideRun> {
  const update = Boolean(process.env['UPDATE_TRANSCRIPTS']);
  const { top, folder } = makeFolder();
  const shell = openShell(folder, join(top, 'node_modules/.bin'));
  try {
    const done = await new Guide(page, shell, update).run(readBlocks(page));
    if (update) writeFileSync(join(repository, page), done.text);
    return done;
  } finally {
    await shell.close();
    rmSync(top, { recursive: true, force: true });
  }
}
