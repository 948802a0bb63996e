const statement = /^import\b[\s\S]*?from\s*(['"])([^'"\n]+)\1\s*;?[ \t]*$/gm;

/** Adds `import { name } from 'module'` behind the imports, or the name to the import that is there. */
export function addImport(source: string, name: string, module: string): string {
  const imports = [...source.matchAll(statement)];
  const quote = imports[0]?.[1] ?? "'";
  const same = imports.find(([text, , from]) => from === module && /^import\s*\{/.test(text));
  if (same) {
    const [text] = same;
    if (new RegExp(`[{,\\s]${name}[,\\s}]`).test(text)) return source;
    const widened = text.replace(/,?\s*\}(?=\s*from)/, `, ${name} }`);
    return source.slice(0, same.index) + widened + source.slice(same.index + text.length);
  }
  const line = `import { ${name} } from ${quote}${withExtension(module, imports)}${quote};`;
  const last = imports.at(-1);
  if (!last) return `${line}\n${source}`;
  const end = last.index + last[0].length;
  return `${source.slice(0, end)}\n${line}${source.slice(end)}`;
}

/** Where the other files are imported by their whole name, so is this one. */
const withExtension = (module: string, imports: readonly RegExpExecArray[]): string =>
  module.startsWith('.') && imports.some(([, , from]) => /^\.{1,2}\/.*\.jsx?$/.test(from ?? ''))
    ? `${module}.js`
    : module;
