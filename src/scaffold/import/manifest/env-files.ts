/** Files with values stay on one computer. The example file without values belongs in the repository. */
const ignored = ['node_modules/', '.env', '.env.*', '!.env.example', '.platform/'];

export function withIgnored(text: string): string {
  const normal = (line: string): string =>
    line
      .trim()
      .replace(/^(!?)\//, '$1')
      .replace(/\/$/, '');
  const lines = new Set(text.split(/\r?\n/).map(normal));
  const missing = ignored.filter((name) => !lines.has(normal(name)));
  // Later lines override earlier lines, so exceptions must come last.
  if (missing.includes('.env.*') && !missing.includes('!.env.example')) missing.push('!.env.example');
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return missing.length === 0 ? text : `${start}${missing.join('\n')}\n`;
}

export function environmentExample(manifest: string): string | undefined {
  const found = [...manifest.matchAll(/\$\{\{ *env\.([A-Za-z_]\w*) *\}\}/g)].map(([, name]) => `${name}=`);
  const lines = ['# Copy this file to .env and fill in the values.', ...new Set(found)];
  return found.length === 0 ? undefined : `${lines.join('\n')}\n`;
}

export const environmentFile = (variables: readonly string[]): string =>
  `# Fill in the values. This file stays on this computer.\n${[...new Set(variables)].map((name) => `${name}=\n`).join('')}`;
