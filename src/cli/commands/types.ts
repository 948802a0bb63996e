import { resolve } from 'node:path';
import { paintDiff } from '../../terminal/paint-diff.js';
import { replaceFile } from '../../base/node/replace-file.js';
import { relativePath } from '../../base/node/relative-path.js';
import { UserError } from '../../base/user-error.js';
import { defineCommand, fine } from '../context/command.js';

interface TypesOptions {
  check?: boolean;
  out?: string;
}

export const types = defineCommand<TypesOptions>({
  name: 'types',
  summary: 'generate platform-env.d.ts from the manifest',
  description:
    'Generate platform-env.d.ts from the manifest. It contains the types of the configuration, secrets and blocks in context.environment.',
  arguments: {
    '[folder]': 'folder that contains the manifest (default: this folder or the nearest parent with one)',
  },
  options: {
    '--check': 'fail if the file does not match the manifest (writes nothing)',
    '--out <file>': 'file to write instead (required for projects of other platforms)',
  },
  examples: {
    'platform types': 'update the types after changing the manifest',
    'platform types --check': 'check the types in CI',
  },
  async run(context, [folder], { check = false, out }) {
    const { findOneManifest, loadManifest, readEnvironmentTypes, typesFileName } =
      await import('../../manifest/index.js');
    const file = findOneManifest(folder, context.cwd);
    const loaded = loadManifest({ file: resolve(context.cwd, file), env: context.io.env });
    if (!loaded.ok) {
      const { printReport } = await import('./validate/print-report.js');
      const { createReport } = await import('../../diagnostics/index.js');
      const report = createReport([file], loaded.diagnostics);
      await printReport({ report, sources: new Map([[file, loaded.source]]) }, context);
      return { kind: 'findings' };
    }
    if (loaded.value.profile && out === undefined)
      throw new UserError(
        'no-output-file',
        `${relativePath(context.cwd, file)} is a manifest for another platform, whose projects have no ${typesFileName}.`,
        'Choose a file: platform types --out src/manifest-types.ts',
      );
    const types = readEnvironmentTypes(loaded.value, out && resolve(context.cwd, out));
    const { fits, before, after } = types;
    if (!check && !fits) replaceFile(types.file, after);
    const shown = relativePath(context.cwd, types.file);
    if (context.json) context.emit({ file: shown, fits, written: !check && !fits });
    else if (fits) context.note(`${shown} matches the manifest.`);
    else if (check && before === undefined)
      context.note(`File not found: ${shown}. Create it with: platform types`);
    else if (check) {
      const { renderDiff } = await import('../../diagnostics/index.js');
      const diff = renderDiff(typesFileName, { text: before ?? '' }, { text: after });
      context.print(paintDiff(diff, context.style));
      context.note(`${shown} does not match the manifest. Run "platform types".`);
    } else context.print(`Wrote ${shown}.`);
    return check && !fits ? { kind: 'findings' } : fine;
  },
});
