import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packageFolder } from '../../base/package-files.js';
import { UserError } from '../../base/user-error.js';
import type { DrawPreview, Preview } from '../../site/site-options.js';

interface World {
  env: Readonly<Record<string, string | undefined>>;
  platform: string;
  userId: number | undefined;
}

const longestMs = 60_000;

/** Writes an image of a block, with the size that the listing recommends. */
export async function takePicture(block: Omit<Preview, 'styles'>, file: string, world: World): Promise<void> {
  const browser = findBrowser(world);
  if (browser === undefined)
    throw new UserError(
      'no-browser',
      'No browser was found that can take a screenshot.',
      'Install Chromium, Chrome or Edge, or set CHROME_PATH to its program.',
    );
  const site = join(fileURLToPath(packageFolder), 'dist/site');
  const { drawPreview } = createRequire(import.meta.url)(join(site, 'index.cjs')) as {
    drawPreview: DrawPreview;
  };
  const folder = mkdtempSync(join(tmpdir(), 'platform-picture-'));
  const [page, picture] = [join(folder, 'page.html'), join(folder, 'picture.png')];
  try {
    writeFileSync(page, drawPreview({ ...block, styles: readFileSync(join(site, 'app.css'), 'utf8') }));
    const { execa } = await import('execa');
    const { stderr } = await execa(
      browser,
      [
        '--headless',
        `--screenshot=${picture}`,
        '--window-size=800,400',
        '--force-device-scale-factor=2',
        '--hide-scrollbars',
        '--virtual-time-budget=5000',
        '--no-first-run',
        `--user-data-dir=${join(folder, 'profile')}`,
        // Chromium does not start as root with its sandbox.
        ...(world.userId === 0 ? ['--no-sandbox'] : []),
        pathToFileURL(page).href,
      ],
      { cwd: folder, reject: false, stdin: 'ignore', timeout: longestMs },
    );
    if (!existsSync(picture))
      throw new UserError(
        'no-picture',
        `${browser} did not take a screenshot.`,
        stderr.trim().split('\n').at(-1) || 'Check whether it starts.',
      );
    copyFileSync(picture, file);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const programs = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

/** Returns the path of an installed browser. */
export function findBrowser(
  { env, platform }: Pick<World, 'env' | 'platform'>,
  exists: (path: string) => boolean = existsSync,
): string | undefined {
  const inFolders = (folders: readonly (string | undefined)[], names: readonly string[]): string[] =>
    folders.flatMap((folder) =>
      folder && isAbsolute(folder) ? names.map((name) => join(folder, name)) : [],
    );
  const places =
    platform === 'darwin'
      ? ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
          (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
        )
      : platform === 'win32'
        ? inFolders(
            ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) => env[name]),
            ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'],
          )
        : inFolders((env['PATH'] ?? '').split(delimiter), programs);
  return [env['CHROME_PATH'], ...places].find((path) => path !== undefined && path !== '' && exists(path));
}
