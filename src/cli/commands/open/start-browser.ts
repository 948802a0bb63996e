import { safeFolder } from '../../../base/node/safe-git.js';
import { UserError } from '../../../base/user-error.js';

/** Opens a file in the default browser. Resolves only if this fails. */
export async function startBrowser(file: string, platform: string): Promise<void> {
  const [program, ...args] =
    platform === 'darwin'
      ? ['open']
      : platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  const { execa } = await import('execa');
  // The program may be the browser itself, so it must be able to outlive this process.
  const started = execa(program, [...args, file], {
    cwd: safeFolder(),
    reject: false,
    stdio: 'ignore',
    detached: true,
    cleanup: false,
  });
  started.unref();
  const { failed } = await started;
  if (!failed) await new Promise<never>(() => {});
}

/** Returns why no browser can show a local file, or undefined if one can. */
export function whyNoBrowser(
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): string | undefined {
  if (env['WSL_DISTRO_NAME'] !== undefined) return 'A browser on Windows cannot read files in WSL.';
  if (platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY']) return undefined;
  return 'No display was found, so no browser can be opened.';
}

export const noBrowser = (message: string, view?: string): UserError =>
  new UserError(
    'no-browser',
    message,
    `To print the link so that you can open it yourself, run: platform open ${view ? `${view} ` : ''}--print`,
  );
