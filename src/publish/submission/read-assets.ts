import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readImageInfo, type Manifest } from '../../manifest/index.js';
import { readLimited } from './read-limited.js';
import type { Asset } from './submission.js';

const maxPictureBytes = 16 * 1024 * 1024;

/** The pictures that the manifest names and that exist. */
export function readAssets({ folder, integration }: Manifest): Asset[] {
  const { icon, previewImages } = integration;
  const named: Pick<Asset, 'role' | 'path' | 'where'>[] = [
    ...(icon === undefined ? [] : [{ role: 'icon' as const, path: icon, where: ['icon'] }]),
    ...previewImages.map((path, index) => ({
      role: 'preview' as const,
      path,
      where: ['previewImages', index],
    })),
  ];
  return named
    .filter(({ path }) => existsSync(join(folder, path)))
    .map((asset) => {
      const file = join(folder, asset.path);
      const { format, width, height } = readImageInfo(file) ?? {};
      return { ...asset, bytes: readLimited(file, maxPictureBytes), format, width, height };
    });
}
