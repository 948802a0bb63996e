import { execFile, execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { verifySignature } from '../../src/webhooks/index.js';
import { useConsole } from '../support/console-page.js';
import { handOf, type Hand } from '../support/hand.js';

// Every row of the table in docs/guides/site.md, with the mouse and keyboard of a person.

const console_ = useConsole('site', ['--state', 'memory'], async (cwd) => {
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'Start'],
  ])
    execFileSync('git', args, { cwd });
});

type Event = Record<string, unknown>;

const secrets: string[] = [];
const received: { event: Event; genuine: boolean }[] = [];
const receive = async (body: string, signature: string): Promise<void> => {
  const checks = await Promise.all(secrets.map((secret) => verifySignature(body, signature, secret)));
  received.push({ event: JSON.parse(body) as Event, genuine: checks.includes(true) });
};
const receiver = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  request.on('end', () => {
    void receive(text, String(request.headers['x-platform-signature'])).then(() => response.end('ok'));
  });
});

beforeAll(async () => {
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  for (const target of [
    { events: ['site_view', 'page_feedback'], site: 'site_local' },
    { events: ['space_content_updated'], space: 'space_local' },
  ]) {
    // The platform is ready before the integration is installed on every target.
    const { secret } = await vi.waitFor(
      () => console_.platform.api<{ secret: string }>('POST', '/webhooks', { url, ...target }),
      { timeout: 10_000 },
    );
    secrets.push(secret);
  }
});
afterAll(() => void receiver.close());

let page: Page;
let hand: Hand;
afterEach(() => page?.context().close());

async function openPages(): Promise<void> {
  page = await console_.open('pages');
  hand = handOf(page);
  await page.getByRole('article').getByText('Read').first().waitFor();
}

/** Opens the site in the window of the console, with its key. */
async function openSite(path = ''): Promise<void> {
  page = await console_.open();
  hand = handOf(page);
  const { siteOrigin, siteKey } = console_.platform;
  await page.goto(`${siteOrigin}/${path}#key=${siteKey}`);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
}

const calls = (type: string): Promise<{ id: string }[]> =>
  console_.platform.api('GET', `/calls?type=${type}&limit=100`);

/** The first event of this type that happens because of `act`, and fits. */
async function caused(
  type: string,
  act: () => Promise<unknown>,
  fits: (event: Event) => boolean = () => true,
): Promise<Event> {
  const before = new Set((await calls(type)).map(({ id }) => id));
  await act();
  return vi.waitFor(
    async () => {
      for (const { id } of await calls(type)) {
        if (before.has(id)) continue;
        const { event } = await console_.platform.api<{ event: Event }>('GET', `/calls/${id}`);
        if (fits(event)) return event;
      }
      throw new Error(`No such call of ${type}.`);
    },
    { timeout: 15_000, interval: 100 },
  );
}

const actionOf = (event: Event): string | undefined =>
  (event['action'] as { action: string } | undefined)?.action;

const delivered = ({ eventId }: Event): Promise<void> =>
  expect
    .poll(() => received.find(({ event }) => event['eventId'] === eventId)?.genuine, { timeout: 10_000 })
    .toBe(true);

describe('reader actions', () => {
  it('sends space_view and site_view when a page is opened', async () => {
    await openSite();
    const url = `${console_.platform.siteOrigin}/guides/first`;
    const isOfGuide = (one: Event): boolean => one['url'] === url;
    let event: Event = {};
    const open = async (): Promise<void> => {
      const link = page.getByRole('main').getByRole('link', { name: 'the guide' });
      event = await caused('site_view', () => hand.press(link), isOfGuide);
    };
    expect(await caused('space_view', open, isOfGuide)).toMatchObject({ spaceId: 'space_local' });
    expect(event).toMatchObject({ siteId: 'site_local' });
    await delivered(event);
  });

  it('sends page_feedback when a page is rated with a comment', async () => {
    await openSite();
    const event = await caused('page_feedback', async () => {
      await hand.press(page.getByRole('button', { name: 'Partly' }));
      await hand.type(page.getByRole('textbox', { name: /What could be better/ }), 'More examples.');
      await hand.press(page.getByRole('button', { name: 'Send' }));
    });
    expect(event).toMatchObject({ feedback: { rating: 'ok', comment: 'More examples.' } });
    await delivered(event);
  });

  it('sends ui_render when a block appears, text is typed and its button is clicked', async () => {
    const seen = await caused('ui_render', () => openSite());
    expect(seen).toMatchObject({ componentId: 'counter', props: { start: 3 } });
    const block = page.locator('[data-block=counter]');
    await hand.type(block.getByRole('textbox', { name: 'Note' }), 'By hand');
    const pressed = await caused(
      'ui_render',
      () => hand.press(block.getByRole('button', { name: 'Count' })),
      (event) => actionOf(event) === 'count',
    );
    expect(pressed).toMatchObject({ componentId: 'counter', state: { count: 3, note: 'By hand' } });
    await block.getByText('Pressed 4 times').waitFor();
  });
});

describe('writer actions', () => {
  it('sends space_content_updated when a page is added, renamed or deleted', async () => {
    await openPages();
    const { folder } = console_.platform;
    const added = await caused('space_content_updated', async () => {
      await hand.press(page.getByRole('button', { name: 'New page' }));
      await page.getByLabel('Title').waitFor();
      await page.keyboard.type('News');
      await page.keyboard.press('Enter');
    });
    expect(readFileSync(join(folder, 'docs/news.md'), 'utf8')).toBe('# News\n');
    await page.getByRole('heading', { name: 'News' }).waitFor();
    const renamed = await caused('space_content_updated', async () => {
      await hand.press(page.getByRole('button', { name: 'Rename or move' }));
      await page.getByLabel('Path').waitFor();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('guides/news');
      await page.keyboard.press('Enter');
    });
    expect(existsSync(join(folder, 'docs/guides/news.md'))).toBe(true);
    const deleted = await caused('space_content_updated', async () => {
      await hand.press(page.getByRole('button', { name: 'Delete the page' }));
      await hand.press(page.getByRole('button', { name: 'Delete the file' }));
    });
    expect(existsSync(join(folder, 'docs/guides/news.md'))).toBe(false);
    const events = [added, renamed, deleted];
    expect(new Set(events.map(({ revisionId }) => revisionId)).size).toBe(3);
    for (const event of events) {
      expect(event).toMatchObject({ spaceId: 'space_local', updatedBy: [{ id: 'user_local' }] });
      await delivered(event);
    }
  });

  it("sends ui_render when a link is pasted, and writes the block's tag to the file", async () => {
    await openPages();
    const other = await page.context().newPage();
    await other.goto('data:text/html,<input value="https://tickets.example.com/7">');
    await other.keyboard.press('Tab');
    await other.keyboard.press('Control+a');
    await other.keyboard.press('Control+c');
    await other.close();
    await page.bringToFront();
    const link = { action: '@link.unfurl', url: 'https://tickets.example.com/7' };
    const paste = async (): Promise<void> => {
      await page.keyboard.press('Control+v');
      await page.getByRole('option', { name: /^Ticket/ }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('article').getByText('Ticket at https://tickets.example.com/7').waitFor();
    };
    const event = await caused('ui_render', paste, (one) => actionOf(one) === '@link.unfurl');
    expect(event).toMatchObject({ componentId: 'ticket', action: link });
    expect(readFileSync(join(console_.platform.folder, 'docs/README.md'), 'utf8')).toContain(
      '{% @reading-room/ticket url="https://tickets.example.com/7" %}',
    );
  });

  it('sends space_visibility_updated when the visibility is changed with the keyboard', async () => {
    await openPages();
    const event = await caused('space_visibility_updated', async () => {
      await hand.tabTo(page.getByLabel('Visibility'));
      await page.keyboard.type('Unl');
    });
    expect(event).toMatchObject({ spaceId: 'space_local', visibility: 'unlisted' });
  });

  it('sends both Git sync events when Sync is clicked', async () => {
    await openPages();
    let completed: Event = {};
    const started = await caused('space_gitsync_started', async () => {
      completed = await caused('space_gitsync_completed', () =>
        hand.press(page.getByRole('button', { name: 'Sync' })),
      );
    });
    expect(completed).toMatchObject({ spaceId: 'space_local', state: 'success' });
    expect(started['revisionId']).toBe(completed['revisionId']);
  });

  it('sends the setup event when the integration is reinstalled in its space', async () => {
    page = await console_.open();
    hand = handOf(page);
    const { spaces } = await console_.platform.api<{ spaces: { title: string }[] }>('GET', '/overview');
    const title = spaces[0]?.title ?? '';
    await caused('space_installation_deleted', async () => {
      await hand.press(page.getByRole('button', { name: `Remove from ${title}` }));
      await hand.press(page.getByRole('dialog').getByRole('button', { name: /^(Uninstall|Remove)/ }));
    });
    const event = await caused('space_installation_setup', () =>
      hand.press(page.getByRole('button', { name: `Install in ${title}` })),
    );
    expect(event).toMatchObject({ spaceId: 'space_local', status: 'active' });
  });
});

describe('requests from a program', () => {
  const all = async (): Promise<number> =>
    (await console_.platform.api<[]>('GET', '/calls?limit=500')).length;

  it('does not count a request from curl as a view', async () => {
    const views = async (): Promise<number> =>
      (await calls('space_view')).length + (await calls('site_view')).length;
    const before = await views();
    const { stdout } = await promisify(execFile)('curl', [
      '-sS',
      `${console_.platform.siteOrigin}/guides/first`,
    ]);
    expect(stdout).toContain('</html>');
    expect(await views()).toBe(before);
  });

  it('does not call the script when a browser prefetches a page', async () => {
    const { siteOrigin } = console_.platform;
    page = await console_.open();
    // The site itself has no link that prefetches, so another page of its origin does.
    await page.route(`${siteOrigin}/prefetching`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<link rel="prefetch" href="/"><h1>Prefetching</h1>`,
      }),
    );
    const before = await all();
    const fetched = page.waitForResponse(`${siteOrigin}/`);
    await page.goto(`${siteOrigin}/prefetching`);
    const request = (await fetched).request();
    expect(await request.allHeaders()).toMatchObject({ 'sec-purpose': 'prefetch' });
    expect(await all()).toBe(before);
  });
});
