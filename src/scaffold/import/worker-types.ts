import { toText, type ProjectFiles } from '../files/files-in-memory.js';
import { isSource } from './recognise-origin.js';

export const workers = '@cloudflare/workers-types';

/** What only the types of workers know: bodies that are given a type, and settings of a request's cache. */
const used = /\.json<|\bcf\s*:|\b(?:ExecutionContext|KVNamespace|HTMLRewriter)\b/;

/** Whether the sources ask for the types of workers; bases of larger repositories bring them unsaid. */
export const needsWorkerTypes = (files: ProjectFiles): boolean =>
  [...files].some(([path, bytes]) =>
    path === 'package.json'
      ? toText(bytes).includes(`"${workers}"`)
      : isSource(path) && /\.tsx?$/.test(path) && used.test(toText(bytes)),
  );
