interface PackageFile {
  name: string;
  version: string;
  files: readonly string[];
  repository?: unknown;
}

/**
 * The README for the registry, which resolves relative links only if package.json has a repository. Without one, they lead to
 * the files of the published package, and a link to any other file becomes text.
 */
export function registryReadme(readme: string, { name, version, files, repository }: PackageFile): string {
  if (repository !== undefined) return readme;
  const packed = new Set([...files, 'LICENSE']);
  const urlOf = (path: string): string | undefined =>
    packed.has(path.split('/')[0] ?? '') ? `https://unpkg.com/${name}@${version}/${path}` : undefined;
  return readme
    .replaceAll(/\[([^\]]+)\]\((?![a-z]+:|#)([^)]+)\)/g, (_, label: string, path: string) => {
      const url = urlOf(path);
      return url === undefined ? label : `[${label}](${url})`;
    })
    .replaceAll(
      /\b(src|srcset)="(?![a-z]+:)([^"]+)"/g,
      (_, key: string, path: string) => `${key}="${urlOf(path)}"`,
    );
}
