import type { Style } from '../../diagnostics/style.js';

export interface InstallationView {
  id: string;
  organization: string;
  status: string;
  urls: { publicEndpoint: string };
  sites: { site: string; status: string }[];
  spaces: { space: string; status: string }[];
}

export function renderInstallations(installations: readonly InstallationView[], style: Style): string {
  if (installations.length === 0) return 'It is installed nowhere. Install it with: platform install';
  const paint = (status: string): string =>
    status === 'active' ? style.green(status) : style.yellow(status);
  return installations
    .flatMap(({ id, organization, status, urls, sites, spaces }) => [
      `${style.bold(id)}  ${paint(status)}  ${style.dim(`in ${organization}`)}`,
      `  ${style.cyan(urls.publicEndpoint)}`,
      ...spaces.map((placed) => `  ${placed.space}  ${paint(placed.status)}`),
      ...sites.map((placed) => `  ${placed.site}  ${paint(placed.status)}`),
    ])
    .join('\n');
}
