import { textAt, textsAt } from '../../../base/value-at-path.js';
import type { ImageInfo } from '../../read/image-info.js';
import type { ManifestContext } from './rule-context.js';

export interface ProjectPath {
  path: (string | number)[];
  text: string;
  role: 'script' | 'icon' | 'preview';
}

/** Returns the project paths in a manifest. Empty paths are skipped, because another rule reports them. */
export function projectPathsOf(value: unknown): ProjectPath[] {
  const single = (role: 'script' | 'icon'): ProjectPath[] => [
    { path: [role], text: textAt(value, role) ?? '', role },
  ];
  const previews = textsAt(value, 'previewImages').map(({ text, index }): ProjectPath => ({
    path: ['previewImages', index],
    text,
    role: 'preview',
  }));
  return [...single('script'), ...single('icon'), ...previews].filter(({ text }) => text.trim() !== '');
}

export interface FoundImage extends ProjectPath {
  info: ImageInfo | undefined;
}

/** Returns the icon and the preview images that exist, with their format and size. */
export function imagesOf({ value, files }: ManifestContext): FoundImage[] {
  if (!files) return [];
  return projectPathsOf(value)
    .filter(({ role, text }) => role !== 'script' && files.look(text) === 'file')
    .map((path) => ({ ...path, info: files.image(path.text) }));
}
