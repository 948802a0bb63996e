import type { ImageInfo } from '../../read/image-info.js';
import type { ManifestContext } from '../rule-context.js';
import { projectPathsOf, type ProjectPath } from './declared-paths.js';

export interface FoundImage extends ProjectPath {
  info: ImageInfo | undefined;
}

/** The icon and the previews that exist, with what their bytes say. */
export function imagesOf({ value, files }: ManifestContext): FoundImage[] {
  if (!files) return [];
  return projectPathsOf(value)
    .filter(({ role, text }) => role !== 'script' && files.look(text) === 'file')
    .map((path) => ({ ...path, info: files.image(path.text) }));
}
