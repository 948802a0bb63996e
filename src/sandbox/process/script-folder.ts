import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Script {
  /** A single ES module with a default export. */
  code: string;
  /** Its source map, as JSON. */
  map?: string;
}

export interface ScriptFile {
  file: string;
  map?: string | undefined;
  /** The size of the module's code. */
  bytes: number;
}

/** A private folder for scripts, which other users cannot read. It is removed together with the sandbox. */
export type ScriptFolder = ReturnType<typeof createScriptFolder>;

export function createScriptFolder(parent: string, { maps }: { maps: boolean }) {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  // Stack traces contain real paths, and the folder for temporary files is behind a link on macOS.
  const path = mkdtempSync(join(realpathSync(parent), 'platform-'));
  let count = 0;

  return {
    path,
    write({ code, map }: Script) {
      const name = `script-${++count}.mjs`;
      const file = join(path, name);
      const debugged = maps && map !== undefined;
      writeFileSync(file, debugged ? `${code}\n${mapComment}${name}.map\n` : code);
      if (debugged) writeFileSync(`${file}.map`, map);
      return { file, map, bytes: Buffer.byteLength(code) };
    },
    forget({ file }: ScriptFile) {
      rmSync(file, { force: true });
      rmSync(`${file}.map`, { force: true });
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

// Split into two strings, because otherwise tools that read this bundle would treat it as the bundle's own comment.
export const mapComment = ['//# sourceMapping', 'URL='].join('');
