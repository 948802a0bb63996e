import type { ImportedProject, InitOptions } from '../../scaffold/index.js';
import { defineCommand, fine } from '../context/command.js';
import { scopes } from '../../protocol/scopes.js';
import { nearest } from '../../base/did-you-mean.js';
import { reportToJson } from '../../diagnostics/index.js';
import { UserError } from '../../base/user-error.js';

interface Options extends Omit<InitOptions, 'folder'> {
  list?: boolean;
  from?: string;
}

export const init = defineCommand<Options>({
  name: 'init',
  summary: 'create an integration from a template, ready to run',
  arguments: { '[folder]': 'folder to create the integration in (must be new or empty)' },
  options: {
    '-t, --template <name>': 'template to start from (--list shows all)',
    '--name <name>': 'name of the integration (default: derived from the folder)',
    '--title <title>': 'display title (default: derived from the name)',
    '--description <text>': 'one-sentence description',
    '-o, --organization <id>': 'id or subdomain of the organization that owns the integration',
    '--visibility <who>': {
      description: 'who can install the integration',
      choices: ['private', 'unlisted', 'public'],
    },
    '--scopes <list>': {
      description: "comma-separated scopes (default: the template's scopes)",
      parse: parseScopes,
    },
    '--language <language>': {
      description: 'language of the source files (default: ts)',
      choices: ['ts', 'js'],
    },
    '--package-manager <name>': {
      description: 'package manager to use (default: detected from the parent folders)',
      choices: ['npm', 'pnpm', 'yarn', 'bun'],
    },
    '--sdk <spec>': 'version of integration-platform to depend on',
    '--install': 'also install the dependencies',
    '--git': 'also initialize a Git repository',
    '-y, --yes': 'use defaults (the blank template, in this folder)',
    '--dry-run': 'show what would be written without writing anything',
    '--from <folder>':
      'convert an existing integration, which "platform dev" also runs as it is, and show the diff',
    '--list': 'list the templates',
  },
  examples: {
    'platform init': 'create an integration interactively',
    'platform init hello --template block --organization acme --install': 'create one without prompts',
    'platform init mine --from ../weather': 'convert an existing integration',
  },
  async run(context, [folder], { list, from, ...options }) {
    const scaffold = await import('../../scaffold/index.js');
    if (list) {
      if (context.json)
        context.emit({ templates: scaffold.templates.map(({ name, summary }) => ({ name, summary })) });
      else context.print(scaffold.renderTemplates(context.style));
      return fine;
    }
    const { io, cwd, interactive } = context;
    const given = { ...options, ...(folder !== undefined && { folder }) };
    const world = {
      cwd,
      execPath: io.execPath,
      interactive,
      env: io.env,
      ask: io.ask,
      now: () => io.clock.now(),
      run: scaffold.runCommand,
      note: context.note,
    };
    if (from !== undefined) {
      // Set once the files have been read and rewritten. Until then, there is nothing to clean up, so Ctrl-C simply ends the
      // process.
      let interrupted: AbortSignal | undefined;
      const { createProgressLine } = await import('../../terminal/progress-line.js');
      const progress = createProgressLine({
        redraw: context.redraw,
        columns: io.stderr.columns,
        clock: io.clock,
        interrupted: () => interrupted,
      });
      const show = (imported: ImportedProject): void => {
        progress.end();
        interrupted = io.takeInterrupts();
        if (!context.json) context.print(scaffold.renderImported(imported, context));
      };
      const result = await scaffold
        .initFrom({ ...given, from }, { ...world, step: progress.step, show })
        .catch((error: unknown) => {
          // Ctrl-C also ends the programs that this command has started, so their failure is not the real reason.
          throw interrupted?.aborted ? interrupted.reason : error;
        })
        .finally(progress.end);
      if (!result) return { kind: 'interrupted', by: 'SIGINT' };
      if (!result.written && !options.dryRun && !context.json) {
        context.print('Nothing was written.');
        return fine;
      }
      const { checkImported } = await import('./init-from/check-imported.js');
      const checked = checkImported(result, io.env);
      if (context.json) {
        const validate = reportToJson(checked.report, { cwd });
        context.emit({ ...scaffold.initFromToJson(result, cwd), validate });
        return fine;
      }
      const { printReport } = await import('./validate/print-report.js');
      await printReport(checked, context);
      context.print(scaffold.renderInitFrom(result, context));
      return fine;
    }
    const random = (bytes: number): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes));
    const result = await scaffold.init(given, { ...world, random });
    if (!result) return { kind: 'interrupted', by: 'SIGINT' };
    if (context.json) context.emit(scaffold.initToJson(result, cwd));
    else context.print(scaffold.renderInit(result, context));
    return fine;
  },
});

function parseScopes(text: string): string[] {
  const wanted = text
    .split(',')
    .map((scope) => scope.trim())
    .filter(Boolean);
  const unknown = wanted.find((scope) => !(scopes as readonly string[]).includes(scope));
  if (unknown === undefined) return wanted;
  const close = nearest(unknown, scopes);
  throw new UserError(
    'unknown-scope',
    `Unknown scope: "${unknown}".`,
    close ? `Did you mean ${close}?` : `Valid scopes: ${scopes.join(', ')}.`,
  );
}
