import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';
import { hostileStrings } from '../support/hostile-strings.js';
import { serve } from '../support/serve.js';

const console_ = useConsole('console-hostile', ['--state', 'memory']);
let page: Page;

declare global {
  interface Window {
    tripped: string[];
    tripwire: (mark: unknown) => void;
  }
}

/** Whatever runs in the console's own page pulls it. */
function setTripwire(): void {
  window.tripped = [];
  window.tripwire = (mark) => window.tripped.push(String(mark));
  window.alert = window.tripwire;
}

async function open(path: string): Promise<void> {
  page = await console_.open(path, { first: setTripwire });
}

/** Nothing has run in the page, and nothing in it could. */
async function isClean(): Promise<void> {
  await page.waitForTimeout(300);
  expect(await page.evaluate(() => window.tripped)).toEqual([]);
  expect(await page.evaluate(suspicious)).toEqual([]);
}

async function close(): Promise<void> {
  await isClean();
  await page.context().close();
}

/** What no view may ever hold. */
function suspicious(): string[] {
  return [...document.querySelectorAll('*')].flatMap((element) => {
    const bad = [...element.attributes].filter(
      ({ name, value }) =>
        name.startsWith('on') ||
        name === 'srcdoc' ||
        (/^(href|src|action|xlink:href|data|formaction)$/.test(name) &&
          /^\s*(javascript|vbscript|data:text)/i.test(value)),
    );
    const own = element instanceof HTMLScriptElement && element.src.endsWith('/console/app.js');
    const name = element.localName;
    const odd = (name === 'script' && !own) || /^(object|embed|base|animate|math|foreignobject)$/.test(name);
    return bad.length > 0 || odd ? [element.outerHTML.slice(0, 200)] : [];
  });
}

/** Opens each part of the entry that is shown. */
async function everyTab(): Promise<void> {
  const tabs = page.getByRole('article').getByRole('tab');
  await tabs.first().waitFor();
  for (let i = 0; i < (await tabs.count()); i += 1) {
    await tabs.nth(i).click();
    await page.waitForTimeout(30);
  }
}

it('has 200 different strings', () => {
  expect(new Set(hostileStrings).size).toBe(200);
});

let receiver: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  let next = 0;
  receiver = await serve(() => {
    next += 1;
    return new Response(hostileStrings[next % hostileStrings.length], {
      status: 400,
      headers: { 'Content-Type': 'text/html' },
    });
  });
});
afterAll(() => receiver.close());

it('in the manifest: nothing runs', async () => {
  for (const view of ['', 'configuration', 'blocks', 'listing']) {
    await open(view);
    await page.waitForTimeout(200);
    if (view === 'configuration') {
      await page.getByRole('combobox', { name: 'Choice' }).click();
      await page.getByRole('option').first().click();
    }
    if (view === 'blocks') {
      await page.keyboard.press('Control+/');
      await page.getByRole('listbox', { name: 'Blocks' }).waitFor();
    }
    await close();
  }
});

it('in event fields and logs: nothing runs', { timeout: 180_000 }, async () => {
  const { platform } = console_;
  for (const text of hostileStrings) {
    await platform.api('POST', '/events', {
      type: 'page_feedback',
      event: {
        feedback: { rating: text, comment: text },
        url: `https://docs.example.com/?${text}`,
        referrer: text,
        visitor: { anonymousId: text, userAgent: text, ip: text, cookies: { [text]: text } },
      },
    });
  }
  await open('events');
  const list = page.getByRole('listbox');
  await list.getByRole('option').first().click();
  for (let i = 0; i < hostileStrings.length; i += 1) {
    if (i % 10 === 0) await everyTab();
    await page.keyboard.press('j');
  }
  await close();
});

it('in addresses, headers, bodies and outbound calls: nothing runs', { timeout: 180_000 }, async () => {
  const { platform } = console_;
  for (const text of hostileStrings) {
    await fetch(
      `${platform.endpoint}/echo?text=${encodeURIComponent(text)}&raw=${text.replaceAll(/[\s#]/g, '')}`,
      {
        method: 'POST',
        headers: { 'X-Hostile': text.replaceAll(/[\r\n\p{Cc}]/gu, ' '), 'Content-Type': 'text/html' },
        body: text,
      },
    );
  }
  for (const path of ['html', 'svg'])
    await fetch(`${platform.endpoint}/${path}?text=${encodeURIComponent(hostileStrings[0] ?? '')}`);
  await open('events');
  await page.getByRole('listbox').getByRole('option').first().click();
  for (let i = 0; i < hostileStrings.length; i += 1) {
    if (i % 10 === 0) await everyTab();
    await page.keyboard.press('j');
  }
  await page.getByRole('searchbox').fill(hostileStrings[3] ?? '');
  await close();
});

it('in every place of the markup: nothing runs', { timeout: 180_000 }, async () => {
  const { platform } = console_;
  for (let from = 0; from < hostileStrings.length; from += 40) {
    const strings = hostileStrings.slice(from, from + 40);
    const { id } = await platform.api<{ id: string }>('POST', '/blocks', {
      component: 'hostile',
      props: { strings },
    });
    await open('blocks');
    await page.locator('.m-unknown').first().waitFor();
    const opened: string[] = [];
    page.context().on('page', (other) => opened.push(other.url()));
    for (const name of ['State', 'Props', 'Log', 'Markup']) await page.getByRole('tab', { name }).click();
    for (const button of (await page.getByRole('button', { name: 'open', exact: true }).all()).slice(0, 40))
      await button.evaluate((element: HTMLElement) => element.click());
    await page.waitForTimeout(500);
    expect(opened.filter((url) => !/^(https?:|about:blank)/.test(url))).toEqual([]);
    for (const frame of await page.locator('iframe').all()) {
      expect(await frame.getAttribute('sandbox')).toBe(
        'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox',
      );
    }
    await platform.api('DELETE', `/blocks/${id}`);
    await close();
  }
});

it('in what a webhook receiver answers: nothing runs', { timeout: 120_000 }, async () => {
  const { platform } = console_;
  const { id } = await platform.api<{ id: string }>('POST', '/webhooks', {
    site: 'site_local',
    url: `${receiver.url}/${encodeURIComponent(hostileStrings[4] ?? '')}?<script>tripwire(1)</script>`,
    events: ['site_view'],
  });
  for (let i = 0; i < 200; i += 1) await platform.api('POST', `/webhooks/${id}/ping`);
  await open('webhooks');
  await page.getByRole('listbox').getByRole('option').first().click();
  for (let i = 0; i < 200; i += 1) await page.keyboard.press('ArrowDown');
  await page.getByRole('article').getByText('Attempt 1').waitFor();
  await close();
});
