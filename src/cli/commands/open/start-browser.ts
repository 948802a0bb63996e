import { UserError } from '../../../base/user-error.js';

/** Opens a file with the program that the system opens web pages with. Resolves only if that fails. */
export async function startBrowser(file: string, platform: string): Promise<void> {
  const [program, ...args] =
    platform === 'darwin'
      ? ['open']
      : platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  const { execa } = await import('execa');
  // It may be the browser itself, which goes on after this process.
  const started = execa(program, [...args, file], {
    reject: false,
    stdio: 'ignore',
    detached: true,
    cleanup: false,
  });
  started.unref();
  const { failed } = await started;
  if (!failed) await new Promise<never>(() => {});
}

/** Why no browser could show a file of this machine; undefined where one may. */
export function whyNoBrowser(
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): string | undefined {
  if (env['WSL_DISTRO_NAME'] !== undefined) return 'A browser on Windows cannot read the files of WSL.';
  if (platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY']) return undefined;
  return 'There is no display here, so no browser can be started.';
}

export const noBrowser = (message: string): UserError =>
  new UserError('no-browser', message, 'Print the link and open it yourself: platform open --print');
