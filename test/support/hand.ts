import type { Locator, Page } from 'playwright-core';

/** Acts like a person with a mouse and keyboard: it only sends input events and runs no test script in the page. */
export interface Hand {
  /** Moves the mouse to the center of an element and clicks. */
  press(target: Locator): Promise<void>;
  /** Clicks an element and types into it. */
  type(target: Locator, text: string): Promise<void>;
  /** Presses Tab until the element has focus. */
  tabTo(target: Locator): Promise<void>;
}

const mostTabs = 200;

export function handOf(page: Page): Hand {
  const press = async (target: Locator): Promise<void> => {
    await target.waitFor();
    const { height = 0 } = page.viewportSize() ?? {};
    const boxOf = async (): Promise<{ x: number; y: number; width: number; height: number }> => {
      const box = await target.boundingBox();
      if (!box) throw new Error('The element has no place on the page.');
      return box;
    };
    let box = await boxOf();
    for (let turns = 0; turns < 40 && (box.y < 80 || box.y + box.height > height); turns += 1) {
      await page.mouse.move(600, height / 2);
      await page.mouse.wheel(0, box.y < 80 ? -100 : 100);
      box = await boxOf();
    }
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 6 });
    await page.mouse.down();
    await page.mouse.up();
  };
  return {
    press,
    async type(target, text) {
      await press(target);
      await page.keyboard.type(text);
    },
    async tabTo(target) {
      for (let tabs = 0; tabs < mostTabs; tabs += 1) {
        if (await target.evaluate((element) => element === document.activeElement)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`${mostTabs} presses of Tab do not reach the element.`);
    },
  };
}
