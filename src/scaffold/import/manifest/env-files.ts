/** Files with values belong to one computer; the example without values belongs to the repository. */
const ignored = ['node_modules/', '.env', '.env.*', '!.env.example', '.platform/'];

/** The lines of a `.gitignore`, and what this platform keeps out of a repository. */
export function withIgnored(text: string): string {
  const normal = (line: string): string =>
    line
      .trim()
      .replace(/^(!?)\//, '$1')
      .replace(/\/$/, '');
  const lines = new Set(text.split(/\r?\n/).map(normal));
  const missing = ignored.filter((name) => !lines.has(normal(name)));
  // A later line wins, so what is let in again has to come after what is ignored.
  if (missing.includes('.env.*') && !missing.includes('!.env.example')) missing.push('!.env.example');
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return missing.length === 0 ? text : `${start}${missing.join('\n')}\n`;
}

/** The variables that the secrets are taken from: whoever runs the integration has to know them. */
export function environmentExample(manifest: string): string | undefined {
  const found = [...manifest.matchAll(/\$\{\{ *env\.([A-Za-z_]\w*) *\}\}/g)].map(([, name]) => `${name}=`);
  const lines = ['# Copy this file to .env and fill in the values.', ...new Set(found)];
  return found.length === 0 ? undefined : `${lines.join('\n')}\n`;
}

export const environmentFile = (variables: readonly string[]): string =>
  `# Fill in the values. This file stays on this computer.\n${[...new Set(variables)].map((name) => `${name}=\n`).join('')}`;
