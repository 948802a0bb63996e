import { chromium, type Browser, type Page } from 'playwright-core';
import { chromiumPath } from '../../test/support/chromium-path.js';
import type { DevPlatform } from '../../test/support/dev-platform.js';
import { encodePalettePng, type Pixels } from './palette-png.js';

/** PNG files of the console by name, in both themes: the list of calls with the failed one open. */
export async function takeConsolePictures(platform: DevPlatform): Promise<[string, Buffer][]> {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const pictures: [string, Buffer][] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme });
      await page.goto(`${platform.consoleOrigin}/console/calls#key=${platform.key}`);
      await openFailure(page);
      const screenshot = await page.screenshot({ animations: 'disabled' });
      pictures.push([`console-${colorScheme}.png`, encodePalettePng(await decode(browser, screenshot))]);
    }
    return pictures;
  } finally {
    await browser.close();
  }
}

async function openFailure(page: Page): Promise<void> {
  await page
    .getByRole('option')
    .filter({ hasText: /POST \/releases[^]*500/ })
    .click();
  await page.getByRole('article').getByText('Timeline').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** The browser decodes the picture, in a page without the console's content security policy. */
async function decode(browser: Browser, png: Buffer): Promise<Pixels> {
  const page = await browser.newPage();
  const { width, height, data } = await page.evaluate(
    async (source) => {
      const bitmap = await createImageBitmap(await (await fetch(source)).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      const pixels = context.getImageData(0, 0, bitmap.width, bitmap.height);
      const reader = new FileReader();
      const read = new Promise((resolve) => reader.addEventListener('load', resolve));
      reader.readAsDataURL(new Blob([pixels.data]));
      await read;
      return { width: bitmap.width, height: bitmap.height, data: reader.result as string };
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  return { width, height, data: Buffer.from(data.slice(data.indexOf(',') + 1), 'base64') };
}
