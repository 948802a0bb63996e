import { createHash } from 'node:crypto';
import { sourcePath } from '../base/text/source-path.js';
import type { Bundle } from '../bundle/index.js';
import type { DefinedIds, Sandbox, ScriptHost } from '../sandbox/index.js';

/** The slot for the author's script, which may be empty. */
export interface CurrentScript extends ScriptHost {
  /**
   * Resolves to the build's name and the ids that it defines, or to 'superseded' if a newer bundle arrived before this one
   * was in place.
   */
  put(bundle: Bundle): Promise<{ build: string; ids: DefinedIds | undefined } | 'superseded'>;
  /** The size of the current code. */
  scriptBytes(): number | undefined;
  /** Until a build is in place, requests get this reason. Without effect if one is. */
  failed(): void;
  /**
   * Removes the script. Until the next `put`, no events are handled, and requests get an error that says why.
   */
  leaveEmpty(): void;
}

const none = 'This integration has no script: its manifest names none.';
const building = 'The script is being built.';
const failedBuild =
  'The script is not running because its first build failed. The output of platform dev shows why.';

export function createCurrentScript(sandbox: Sandbox, sources: BuiltSources): CurrentScript {
  let missing: string | undefined = building;
  let turn = 0;
  let bytes: number | undefined;
  const refuse = async (status = 503): Promise<Response> => Response.json({ error: missing }, { status });
  return {
    call(call) {
      if (missing === undefined) return sandbox.call(call);
      return refuse(missing === none && call.event.type !== 'fetch' ? 406 : 503);
    },
    raw: (id, request) => (missing === undefined ? sandbox.raw(id, request) : refuse()),
    async put({ code, map }) {
      turn += 1;
      const mine = turn;
      if ((await sandbox.load({ code, map })) === 'superseded' || mine !== turn) return 'superseded';
      missing = undefined;
      bytes = Buffer.byteLength(code);
      sources.replace(map);
      const build = createHash('sha256').update(code).digest('hex').slice(0, 16);
      return { build, ids: sandbox.definedIds() };
    },
    scriptBytes: () => bytes,
    failed() {
      if (missing === building) missing = failedBuild;
    },
    leaveEmpty() {
      turn += 1;
      bytes = undefined;
      sources.replace(undefined);
      missing = none;
    },
  };
}

/** The source files of the current script, which are shown next to its errors. */
export interface BuiltSources {
  /** A source file, as it was built. */
  of(path: string): string | undefined;
  replace(map: string | undefined): void;
}

/** The map is parsed when a source is needed for the first time. */
export function createBuiltSources(): BuiltSources {
  let map: string | undefined;
  let texts: Map<string, string | null> | undefined;
  return {
    of(path) {
      if (!texts) {
        const { sources, sourcesContent = [] } = JSON.parse(map ?? '{"sources":[]}') as SourceTexts;
        texts = new Map(sources.map((source, index) => [sourcePath(source), sourcesContent[index] ?? null]));
      }
      return texts.get(path) ?? undefined;
    },
    replace(next) {
      map = next;
      texts = undefined;
    },
  };
}

interface SourceTexts {
  sources: string[];
  sourcesContent?: (string | null)[];
}
