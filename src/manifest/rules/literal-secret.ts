import type { ManifestRule } from '../rule-context.js';
import { showPath } from './words.js';

export const literalSecret: ManifestRule = {
  code: 'manifest/literal-secret',
  severity: 'error',
  summary: 'A secret is written out in the manifest.',
  *check({ mistakes }) {
    for (const { path } of mistakes('manifest/literal-secret')) {
      const name = String(path.at(-1));
      yield {
        message: `${showPath(path)} holds a value itself; whoever reads the repository can read it.`,
        help: `Write \${{ env.${variableFor(name)} }}, put the value in .env, and replace it where it is valid: it is known by now.`,
        path,
      };
    }
  },
};

export const variableFor = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9_]/g, '_')
    .replace(/^(?=\d)/, '_')
    .toUpperCase();
