import type { Workspace } from '../../protocol/workspace.js';

/** Returns the path of a space on the site: `/` for the first space of the first site, and `/<space>/` for all other spaces. */
export function pathOfSpace({ sites, spaces }: Workspace, id: string): string {
  const first = sites[0]?.spaces[0] ?? spaces[0]?.id;
  return id === first ? '/' : `/${encodeURIComponent(id)}/`;
}

export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
