import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readImageInfo, type Manifest } from '../manifest/index.js';
import type { Asset } from './submission.js';

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
      return { ...asset, bytes: readFileSync(file), format, width, height };
    });
}
