import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { type ImageInfo, readImageInfo } from './image-info.js';

/** Reads project files at paths from the manifest. */
export interface ProjectFiles {
  look(path: string): 'file' | 'missing' | 'outside' | 'not-a-file' | 'unreadable';
  /** Returns the path as it is on disk, if macOS or Windows finds the file in spite of other upper or lower case. */
  otherCase(path: string): string | undefined;
  /** Returns the format and size of an image, or undefined if it cannot be read. */
  image(path: string): ImageInfo | undefined;
}

export function createProjectFiles(folder: string): ProjectFiles {
  let realFolder: string | undefined;
  const inside = (path: string, root: string): boolean =>
    path.startsWith(root.endsWith(sep) ? root : root + sep);
  return {
    look(path) {
      const absolute = resolve(folder, path);
      if (isAbsolute(path) || /^[a-z][a-z0-9+.-]+:/i.test(path)) return 'outside';
      if (absolute !== folder && !inside(absolute, folder)) return 'outside';
      try {
        realFolder ??= realpathSync.native(folder);
        const real = realpathSync.native(absolute);
        if (real !== realFolder && !inside(real, realFolder)) return 'outside';
        return statSync(real).isFile() ? 'file' : 'not-a-file';
      } catch (error) {
        return isDenied(error) ? 'unreadable' : 'missing';
      }
    },
    otherCase(path) {
      const [given, found] = [
        relative(folder, resolve(folder, path)),
        relative(realpathSync.native(folder), realpathSync.native(resolve(folder, path))),
      ].map((one) => one.normalize('NFC').replaceAll(sep, '/'));
      return given !== found && given?.toLowerCase() === found?.toLowerCase() ? found : undefined;
    },
    image: (path) => readImageInfo(resolve(folder, path)),
  };
}

const isDenied = (error: unknown): boolean =>
  ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
