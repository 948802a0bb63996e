import type { InstallationResource } from '../../contract/routes/installations.js';
import type { Style } from '../../terminal/style.js';

export function renderInstallations(installations: readonly InstallationResource[], style: Style): string {
  if (installations.length === 0) return 'Not installed. Install it with: platform install';
  const paint = (status: string): string =>
    status === 'active' ? style.green(status) : style.yellow(status);
  return installations
    .flatMap(({ id, organization, status, urls, sites, spaces }) => {
      const targets = [
        ...spaces.map((one) => ({ name: one.space, status: one.status })),
        ...sites.map((one) => ({ name: one.site, status: one.status })),
      ];
      const column = Math.max(0, ...targets.map(({ name }) => name.length));
      return [
        `${style.bold(id)}  ${paint(status)}  ${style.dim(`in ${organization}`)}`,
        `  ${style.cyan(urls.publicEndpoint)}`,
        ...targets.map((one) => `  ${one.name.padEnd(column)}  ${paint(one.status)}`),
      ];
    })
    .join('\n');
}
