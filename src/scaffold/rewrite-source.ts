const sdk = 'integration-platform';

/** Imports of the former runtime, and of its client, become those of this one. Comments and layout stay. */
export function rewriteSource(text: string, runtime: string): { text: string; unmapped: string[] } {
  const scope = runtime.startsWith('@') ? `${runtime.split('/')[0]}/` : undefined;
  const unmapped: string[] = [];
  const rewritten = text
    .replaceAll(
      /(\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"\n]+)\2/g,
      (whole, head: string, quote: string, module: string) => {
        if (module === runtime) return `${head}${quote}${sdk}${quote}`;
        if (scope === undefined || !module.startsWith(scope)) return whole;
        if (module === `${scope}api`) {
          unmapped.push(
            `what it imports from ${module} now comes from ${sdk}: see with tsc whether all is there.`,
          );
          return `${head}${quote}${sdk}${quote}`;
        }
        unmapped.push(`it imports ${module}, which has no counterpart.`);
        return whole;
      },
    )
    .replaceAll(/(@jsxImportSource\s+)(\S+)/g, (whole, head: string, module: string) =>
      module === runtime ? `${head}${sdk}` : whole,
    )
    .replaceAll(
      /("jsxImportSource"\s*:\s*")([^"]+)(")/g,
      (whole, head: string, module: string, tail: string) =>
        module === runtime ? `${head}${sdk}${tail}` : whole,
    );
  const base = scope && /"extends"\s*:\s*"([^"]+)"/.exec(text)?.[1];
  if (base?.startsWith(scope ?? '')) unmapped.push(`it extends ${base}, which has no counterpart.`);
  return { text: rewritten, unmapped };
}
