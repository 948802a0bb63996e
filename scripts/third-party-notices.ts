import { readdirSync, readFileSync } from 'node:fs';

/** Collects the licences of the npm packages that are part of the bundles. */
export function renderNotices(root: string, bundledFiles: readonly string[]): string {
  const folders = new Set(
    bundledFiles
      .map((file) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0])
      .filter((folder) => folder !== undefined),
  );
  const notices = [...folders].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8')) as {
      name: string;
      version: string;
      license: string;
    };
    const file = readdirSync(`${root}${folder}`).find((entry) => /^licen[cs]e/i.test(entry));
    const text =
      file === undefined ? `License: ${license}` : readFileSync(`${root}${folder}/${file}`, 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return [
    `The files in dist contain code of ${notices.length} other packages. Their licences:\n`,
    ...notices,
  ].join(`\n${'-'.repeat(80)}\n\n`);
}
