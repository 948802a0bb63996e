import type { Style } from '../../terminal/style.js';

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
    .flatMap(({ id, organization, status, urls, sites, spaces }) => {
      const placed = [
        ...spaces.map((one) => ({ name: one.space, status: one.status })),
        ...sites.map((one) => ({ name: one.site, status: one.status })),
      ];
      const column = Math.max(0, ...placed.map(({ name }) => name.length));
      return [
        `${style.bold(id)}  ${paint(status)}  ${style.dim(`in ${organization}`)}`,
        `  ${style.cyan(urls.publicEndpoint)}`,
        ...placed.map((one) => `  ${one.name.padEnd(column)}  ${paint(one.status)}`),
      ];
    })
    .join('\n');
}
