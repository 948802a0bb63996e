import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Page } from 'playwright-core';
import { settled, useConsole } from '../support/console-page.js';
import { hostileStrings } from '../support/hostile-strings.js';
import { amount } from '../support/proved.js';
import { serve } from '../support/serve.js';

const console_ = useConsole('console-hostile', ['--state', 'memory']);
let page: Page;
afterEach(() => page.context().close());

declare global {
  interface Window {
    tripped: string[];
    opened: string[];
    tripwire: (mark: unknown) => void;
  }
}

/** Injected code calls this. Windows are only recorded, because there would be hundreds. */
function setTripwire(): void {
  window.tripped = [];
  window.opened = [];
  window.tripwire = (mark) => window.tripped.push(String(mark));
  window.alert = window.tripwire;
  window.open = (url) => {
    window.opened.push(String(url));
    return null;
  };
}

async function open(path: string): Promise<void> {
  page = await console_.open(path, { first: setTripwire });
}

async function isClean(): Promise<void> {
  await page.evaluate(everythingLoaded);
  expect(await page.evaluate(() => window.tripped)).toEqual([]);
  expect(await page.evaluate(suspicious)).toEqual([]);
}

/** Waits until the error handler of a broken image would have run. */
async function everythingLoaded(): Promise<void> {
  const pictures = [...document.images].filter(({ complete, loading }) => !complete && loading !== 'lazy');
  await Promise.all(
    pictures.map(
      (picture) =>
        new Promise((resolve) => {
          picture.addEventListener('load', resolve);
          picture.addEventListener('error', resolve);
        }),
    ),
  );
  for (let i = 0; i < 2; i += 1) await new Promise(requestAnimationFrame);
}

/** Content that must not appear in any view. */
function suspicious(): string[] {
  return [...document.querySelectorAll('*')].flatMap((element) => {
    const bad = [...element.attributes].filter(
      ({ name, value }) =>
        name.startsWith('on') ||
        name === 'srcdoc' ||
        (/^(href|src|action|xlink:href|data|formaction)$/.test(name) &&
          /^\s*(javascript|vbscript|data:text)/i.test(value)),
    );
    const own =
      element instanceof HTMLScriptElement &&
      /[/]console[/](~\w+[/])?(app|chunk|later)\.js$/.test(element.src);
    const name = element.localName;
    const odd = (name === 'script' && !own) || /^(object|embed|base|animate|math|foreignobject)$/.test(name);
    return bad.length > 0 || odd ? [element.outerHTML.slice(0, 200)] : [];
  });
}

/** Walks through a list by keyboard and opens all tabs of each entry, or only the first. */
async function walk(steps: number, parts: 'first part' | 'all parts'): Promise<number> {
  const shown = await page.evaluate(
    async ([count, all]) => {
      const nextFrame = (): Promise<unknown> => new Promise(requestAnimationFrame);
      const drawn = async (done: () => boolean): Promise<void> => {
        const started = performance.now();
        while (!done() || document.querySelector('[aria-busy=true]')) {
          if (performance.now() - started > 5000) throw new Error('It is never drawn.');
          await nextFrame();
        }
      };
      const seen = new Set<string>();
      for (let i = 0; i < count; i += 1) {
        const list = document.querySelector<HTMLElement>('[role=listbox]');
        list?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
        await drawn(
          () => !seen.has(location.pathname) && document.querySelector('article h2, article h3') !== null,
        );
        seen.add(location.pathname);
        if (!all) continue;
        for (const tab of document.querySelectorAll<HTMLElement>('article [role=tab]')) {
          tab.click();
          await drawn(() => tab.getAttribute('aria-selected') === 'true');
          let closed = document.querySelectorAll<HTMLElement>('article [aria-expanded=false]');
          while (closed.length > 0) {
            for (const toggle of closed) toggle.click();
            await nextFrame();
            closed = document.querySelectorAll('article [aria-expanded=false]');
          }
        }
      }
      return seen.size;
    },
    [steps, parts === 'all parts'] as const,
  );
  await isClean();
  return shown;
}

const batches = (size: number, strings = hostileStrings): string[][] =>
  Array.from({ length: strings.length / size }, (_, i) => strings.slice(i * size, (i + 1) * size));

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

it('never executes code injected through the manifest', async () => {
  expect(new Set(hostileStrings).size).toBe(200);
  await open('');
  await isClean();
  for (const view of ['configuration', 'blocks', 'listing']) {
    await console_.visit(page, view);
    if (view === 'configuration') {
      await page.getByRole('combobox', { name: 'Choice' }).click();
      await page.getByRole('option').first().click();
    }
    if (view === 'blocks') {
      await page.keyboard.press('Control+/');
      await page.getByRole('listbox', { name: 'Blocks' }).waitFor();
    }
    await isClean();
  }
});

it('never executes code injected through event fields, errors or logs', async () => {
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
  await open('calls');
  expect(await walk(hostileStrings.length, 'first part')).toBe(200);
});

it('never executes code injected through URLs, headers, bodies, logs or outbound requests', async () => {
  const { platform } = console_;
  const groups = batches(20);
  for (const texts of groups) {
    const headers = texts.map((text, i): [string, string] => [
      `X-Hostile-${i}`,
      text.replaceAll(/[\r\n\p{Cc}]/gu, ' '),
    ]);
    const raw = texts.map((text) => text.replaceAll(/[\s#]/g, '')).join('&');
    const response = await fetch(`${platform.endpoint}/echo?${raw}`, {
      method: 'POST',
      headers: [...headers, ['Content-Type', 'text/html']],
      body: JSON.stringify(texts),
    });
    expect(response.status).toBe(200);
  }
  for (const path of ['html', 'svg'])
    await fetch(`${platform.endpoint}/${path}?text=${encodeURIComponent(hostileStrings[0] ?? '')}`);
  await open('calls');
  expect(await walk(groups.length + 2, 'all parts')).toBe(groups.length + 2);
  await page.getByRole('searchbox').fill(hostileStrings[3] ?? '');
  await page.getByText('No matches').or(page.locator('.entry').first()).waitFor();
  await isClean();
});

it('never executes code injected through any part of the markup', async () => {
  const { platform } = console_;
  await open('blocks');
  // Only the URLs matter here, not what they would load.
  await page.route(/\/v1\//, (route) => route.abort());
  // In most suites, two of the four strings in each form.
  const some = hostileStrings.filter((_, i) => i % amount(2, 1) === 0);
  for (const strings of batches(50, some)) {
    const { id } = await platform.api<{ id: string }>('POST', '/blocks', {
      component: 'hostile',
      props: { strings },
    });
    await page.locator('.m-unknown').first().waitFor();
    await settled(page);
    for (const part of ['state', 'props', 'log', 'markup']) {
      await page.locator(`[data-tab=${part}]`).click();
      await settled(page);
    }
    for (const sandbox of await page
      .locator('iframe')
      .evaluateAll((frames) => frames.map((frame) => frame.getAttribute('sandbox'))))
      expect(sandbox).toBe('allow-scripts allow-forms allow-popups');
    await isClean();
    await platform.api('DELETE', `/blocks/${id}`);
    await page.locator('.m-unknown').first().waitFor({ state: 'detached' });
  }
});

it('never opens a hostile string as a URL that could run code', async () => {
  const { platform } = console_;
  const { id } = await platform.api<{ id: string }>('POST', '/blocks', {
    component: 'openers',
    props: { strings: hostileStrings },
  });
  onTestFinished(() => platform.api('DELETE', `/blocks/${id}`));
  await open('blocks');
  // The script renders 200 buttons, each with a URL of its own.
  await page.locator('.m-button').nth(199).waitFor({ timeout: 30_000 });
  const pressed = await page.evaluate(() => {
    const openers = document.querySelectorAll<HTMLElement>('.m-button');
    for (const opener of openers) opener.click();
    return openers.length;
  });
  expect(pressed).toBe(200);
  await settled(page);
  const opened = await page.evaluate(() => window.opened);
  expect(opened.length).toBeGreaterThan(50);
  expect(opened.filter((url) => !/^(https?|mailto):/.test(url))).toEqual([]);
  await isClean();
});

it("never executes code injected through a webhook receiver's response", async () => {
  const { platform } = console_;
  const { id } = await platform.api<{ id: string }>('POST', '/webhooks', {
    site: 'site_local',
    url: `${receiver.url}/${encodeURIComponent(hostileStrings[4] ?? '')}?<script>tripwire(1)</script>`,
    events: ['site_view'],
  });
  for (let i = 0; i < hostileStrings.length; i += 1) await platform.api('POST', `/webhooks/${id}/ping`);
  await open('webhooks');
  expect(await walk(hostileStrings.length, 'first part')).toBe(200);
});

it('blocks injected code in an inline script, in eval and in markup created from text', async () => {
  const response = await fetch(`${console_.platform.consoleOrigin}/console/`);
  const policy = response.headers.get('content-security-policy');
  const [, start = 'none'] = /console[/](~\w+)[/]app[.]js/.exec(await response.text()) ?? [];
  const own = ['app.js', 'chunk.js', 'later.js'].map(
    (file) => `${console_.platform.consoleOrigin}/console/${start}/${file}`,
  );
  expect(policy).toContain(`script-src ${own.join(' ')};`);
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|unsafe-hashes|\*/);

  page = await console_.open('', { first: setTripwire, refusals: 'expected' });
  const refused = await page.evaluate(async () => {
    const attempts = {
      innerHTML: () => (document.body.innerHTML = '<img src=x onerror="tripwire(1)">'),
      eval: () => (Reflect.get(globalThis, 'eval') as (code: string) => void)('tripwire(2)'),
      inline: () => {
        const script = document.createElement('script');
        script.append('tripwire(3)');
        document.body.append(script);
      },
      attribute: () => document.body.setAttribute('onclick', 'tripwire(4)'),
    };
    const violations: string[] = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      violations.push(effectiveDirective),
    );
    // Code run by the debugger bypasses the policy; code in a timer does not.
    const run = (attempt: () => void): Promise<void> =>
      new Promise((resolve) =>
        setTimeout(() => {
          try {
            attempt();
          } catch {
            // The policy blocked it immediately.
          }
          resolve();
        }),
      );
    for (const attempt of Object.values(attempts)) await run(attempt);
    document.body.click();
    return { violations, tripped: window.tripped };
  });
  expect(refused.tripped).toEqual([]);
  expect(refused.violations).toContain('require-trusted-types-for');
});

it('the test itself detects injected code that runs', async () => {
  await open('');
  await page.evaluate(() => window.tripwire('a control'));
  await expect(isClean()).rejects.toThrow('a control');
});

it('isolates right-to-left text, and shows its control characters in raw views', async () => {
  const { platform } = console_;
  await open('calls');
  await page.locator('.entry').first().waitFor();
  const text = 'user\u202Egnp.exe\u2066 \u001B[31mred';
  await platform.api('POST', '/events', {
    type: 'page_feedback',
    event: { feedback: { rating: text, comment: text }, url: 'https://docs.example.com/' },
  });
  await page.locator('.entry').filter({ hasText: 'page_feedback' }).first().click();
  await page.getByRole('tab', { name: 'Logs' }).click();
  await page
    .locator('.log-text')
    .filter({ hasText: 'user\uFFFDgnp.exe\uFFFD \u241B[31mred' })
    .first()
    .waitFor();
  await page.getByRole('tab', { name: 'Summary' }).click();
  await page.getByText('user\uFFFDgnp.exe\uFFFD').first().waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
  const inline = await page.evaluate(() =>
    [...document.querySelectorAll('main *, header *')]
      .filter((one) => getComputedStyle(one).display === 'inline' && one.textContent !== '')
      .filter((one) => getComputedStyle(one).unicodeBidi !== 'isolate')
      .map(({ outerHTML }) => outerHTML.slice(0, 120)),
  );
  expect(inline).toEqual([]);
});
