import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseJson } from '../../base/parse-json.js';

/** The bundler reads a source map if a comment anywhere in a file refers to it. */
const mapComment = /[#@] sourceMappingURL=(\S+)/g;

/**
 * Returns the files that the bundler reads because of a file's source maps: the maps themselves, and any sources that they
 * do not embed. Each path may be a URL or a plain path, so it is resolved as both.
 */
export function mappedFiles(file: string, text: string, read: (map: string) => string): string[] {
  const found: string[] = [];
  for (const [, whole = ''] of text.matchAll(mapComment)) {
    for (const url of new Set([whole, whole.replace(/\*\/.*$/, '')])) {
      if (url.startsWith('data:')) {
        found.push(...sourcesOf(file, inlineText(url)));
        continue;
      }
      for (const map of pathsOf(file, url)) found.push(map, ...sourcesOf(map, read(map)));
    }
  }
  return [...new Set(found)];
}

interface SourceMap {
  sourceRoot?: unknown;
  sources?: unknown;
  sourcesContent?: unknown;
  sections?: unknown;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function sourcesOf(map: string, text: string): string[] {
  const parsed = parseJson(text, undefined) as SourceMap | null | undefined;
  const parts = [
    parsed,
    ...listOf(parsed?.sections).map((section) => (section as { map?: SourceMap } | null)?.map),
  ];
  return parts.flatMap((part) => {
    const contents = listOf(part?.sourcesContent);
    const root = typeof part?.sourceRoot === 'string' ? part.sourceRoot : '';
    return listOf(part?.sources)
      .filter((source, index): source is string => typeof source === 'string' && contents[index] == null)
      .flatMap((source) => [
        ...pathsOf(map, source),
        ...(root === '' ? [] : pathsOf(map, `${root.replace(/\/$/, '')}/${source}`)),
      ]);
  });
}

function pathsOf(base: string, url: string): string[] {
  const paths = url.includes('\0') ? [] : [resolve(dirname(base), url)];
  try {
    paths.push(fileURLToPath(new URL(url, pathToFileURL(base))));
  } catch {
    // The path is not a file URL.
  }
  return [...new Set(paths)];
}

function inlineText(url: string): string {
  const [, encoding = '', data = ''] = /^data:[^,]*?(;base64)?,(.*)$/.exec(url) ?? [];
  try {
    return encoding === '' ? decodeURIComponent(data) : Buffer.from(data, 'base64').toString('utf8');
  } catch {
    return '';
  }
}
