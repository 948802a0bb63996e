import { sourcePath } from '../../base/text/source-path.js';

/** The current script's source files, which are shown next to its errors. */
export interface BuiltSources {
  /** Returns a source file as it was when built. */
  of(path: string): string | undefined;
  replace(map: string | undefined): void;
}

/** The map is parsed when a source is first needed. */
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
