import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../diagnostics/index.js';
import { readStats } from '../../manifest/index.js';
import type { ProjectFiles } from '../project-files.js';

/** What is made anew here, or belongs to one computer. */
const left = /^(node_modules|\.git|\.DS_Store|\.env|\.env\.(?!example$|sample$|template$).*)$/;
const built = /^(dist|build|coverage)$/;

export interface ReadProject {
  files: ProjectFiles;
  /** Links that lead nowhere, or back to where they lie. */
  broken: string[];
}

export function readProject(folder: string): ReadProject {
  if (!readStats(folder)?.isDirectory()) {
    throw new UserError('no-such-folder', `There is no folder ${folder}.`);
  }
  const files = new Map<string, Uint8Array>();
  const broken: string[] = [];
  const read = (below: string, above: readonly string[]): void => {
    const here = realpathSync(join(folder, below));
    if (above.includes(here)) return void broken.push(below);
    for (const name of readdirSync(join(folder, below)).sort()) {
      if (left.test(name) || (below === '' && built.test(name))) continue;
      const path = below === '' ? name : `${below}/${name}`;
      const stat = readStats(join(folder, path));
      if (!stat) broken.push(path);
      else if (stat.isDirectory()) read(path, [...above, here]);
      else if (stat.isFile()) files.set(path, readFileSync(join(folder, path)));
    }
  };
  read('', []);
  return { files, broken };
}
