import type { BrowserContext, Page } from 'playwright-core';

interface AttackWorld {
  context: BrowserContext;
  /** A console tab that has the key. */
  victim: Page;
  /** Loads a page from the attacker with the given headers. */
  hostilePage(headers?: Record<string, string>): Promise<Page>;
  consoleOrigin: string;
  key: string;
}

/** Returns whatever the attack obtained. A later check finds what it changed. */
type Attack = (world: AttackWorld) => Promise<unknown>;

const inPage =
  (attack: (consoleOrigin: string) => unknown): Attack =>
  async ({ hostilePage, consoleOrigin }) =>
    (await hostilePage()).evaluate(attack, consoleOrigin);

/** Whether the tab or one of its frames shows the console. */
const shows = (tab: Page): Promise<boolean> =>
  Promise.all(
    tab.frames().map((frame) =>
      frame
        .locator('.app, .link-page')
        .count()
        .catch(() => 0),
    ),
  ).then((counts) => counts.some((count) => count > 0));

/** Opens the console from the hostile page, and returns what it could do with the window. */
const openAnd =
  (use: (consoleOrigin: string) => unknown, headers?: Record<string, string>): Attack =>
  async ({ context, hostilePage, consoleOrigin }) => {
    const page = await hostilePage(headers);
    const opened = context.waitForEvent('page');
    await page.evaluate((url) => {
      Object.assign(window, { opened: window.open(url) });
    }, `${consoleOrigin}/console/calls`);
    const tab = await opened;
    await tab.locator('.app, .link-page').waitFor();
    const got = await page.evaluate(use, consoleOrigin);
    await tab.waitForTimeout(100);
    return got === true || !tab.url().startsWith(consoleOrigin) || !(await shows(tab));
  };

const readOpened = (): boolean => {
  const { opened } = window as unknown as { opened: Window | null };
  const tries = [
    () => opened?.document.body.innerText,
    () => opened?.sessionStorage.length,
    () => opened?.location.href,
    () => (opened?.closed === false ? 'a handle' : undefined),
  ];
  return tries.some((attempt) => {
    try {
      return attempt() !== undefined;
    } catch {
      return false;
    }
  });
};

const framed =
  (make: (consoleOrigin: string) => void): Attack =>
  async ({ hostilePage, consoleOrigin }) => {
    const page = await hostilePage();
    await page.evaluate(make, consoleOrigin);
    await page.waitForTimeout(300);
    return shows(page);
  };

export const attacks: Record<string, Attack> = {
  'fetch the pages of the console port and its neighbours': inPage(async (origin) => {
    const own = Number(new URL(origin).port);
    const ports = Array.from({ length: 41 }, (_, i) => own - 20 + i).filter((port) => port < 65_536);
    const read = await Promise.allSettled(
      ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/`)).text()),
    );
    // A neighbour can be the attacker's own server.
    return read.some((one) => one.status === 'fulfilled' && !one.value.includes('<title>hostile</title>'));
  }),
  'fetch the API with credentials': inPage((origin) =>
    fetch(`${origin}/console/api/overview`, { credentials: 'include' }).then(
      () => true,
      () => false,
    ),
  ),
  'fetch without CORS': inPage((origin) =>
    fetch(`${origin}/console/api/overview`, { mode: 'no-cors' }).then(
      ({ type }) => type !== 'opaque',
      () => false,
    ),
  ),
  'fetch with a guessed key': inPage((origin) =>
    fetch(`${origin}/console/api/overview`, { headers: { 'X-Platform-Token': 'guess' } }).then(
      () => true,
      () => false,
    ),
  ),
  'post without CORS': inPage(async (origin) => {
    const body = JSON.stringify({ type: 'page_feedback', set: { 'feedback.comment': 'forged' } });
    await fetch(`${origin}/console/api/events`, { method: 'POST', mode: 'no-cors', body }).catch(
      () => undefined,
    );
  }),
  'post a beacon': inPage(async (origin) => {
    navigator.sendBeacon(`${origin}/console/api/events`, '{"type":"page_feedback"}');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }),
  'post a form': async ({ context, hostilePage, consoleOrigin }) => {
    const page = await hostilePage();
    const opened = context.waitForEvent('page');
    await page.evaluate((origin) => {
      const form = Object.assign(document.createElement('form'), {
        method: 'post',
        enctype: 'text/plain',
        target: '_blank',
        action: `${origin}/console/api/events`,
      });
      form.append(
        Object.assign(document.createElement('input'), {
          name: '{"type":"page_feedback","a":"',
          value: '"}',
        }),
      );
      document.body.append(form);
      form.submit();
    }, consoleOrigin);
    await (await opened).waitForLoadState();
  },
  'send an XMLHttpRequest': inPage(
    (origin) =>
      new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.addEventListener('load', () => resolve(true));
        request.addEventListener('error', () => resolve(false));
        request.open('PUT', `${origin}/console/api/preferences/theme`);
        request.send('{"value":"dark"}');
      }),
  ),
  'follow the live stream': inPage(
    (origin) =>
      new Promise((resolve) => {
        const events = new EventSource(`${origin}/console/api/stream`, { withCredentials: true });
        const socket = new WebSocket(`${origin.replace('http', 'ws')}/console/api/stream`);
        for (const one of [events, socket]) one.addEventListener('open', () => resolve(true));
        setTimeout(() => resolve(false), 400);
      }),
  ),
  'frame a page': framed((origin) => {
    for (const [path, sandbox] of [
      ['/'],
      ['/console/calls'],
      ['/console/', 'allow-scripts allow-same-origin'],
    ]) {
      const frame = Object.assign(document.createElement('iframe'), { src: origin + path });
      if (sandbox) frame.setAttribute('sandbox', sandbox);
      document.body.append(frame);
    }
  }),
  'embed a page': framed((origin) => {
    document.body.append(
      Object.assign(document.createElement('object'), { data: `${origin}/console/`, type: 'text/html' }),
      Object.assign(document.createElement('embed'), { src: `${origin}/console/`, type: 'text/html' }),
    );
  }),
  'load its code as a script, a module and a style': inPage(async (origin) => {
    const loads = (element: HTMLElement): Promise<boolean> =>
      new Promise((resolve) => {
        element.addEventListener('load', () => resolve(true));
        element.addEventListener('error', () => resolve(false));
        document.head.append(element);
      });
    const src = `${origin}/console/app.js`;
    const loaded = await Promise.all([
      loads(Object.assign(document.createElement('script'), { src })),
      loads(Object.assign(document.createElement('script'), { src, type: 'module' })),
      loads(
        Object.assign(document.createElement('link'), {
          rel: 'stylesheet',
          href: `${origin}/console/app.css`,
        }),
      ),
      loads(Object.assign(document.createElement('script'), { src: `${origin}/console/api/overview` })),
    ]);
    return loaded.includes(true);
  }),
  'open it and read it': openAnd(readOpened),
  'open it and navigate it': openAnd(() => {
    const { opened } = window as unknown as { opened: Window };
    try {
      opened.location.href = `${location.origin}/replaced`;
    } catch {
      // The browser blocked the navigation.
    }
  }),
  'open it with opener policies of its own': async (world) => {
    const policies = [
      'unsafe-none',
      'same-origin-allow-popups',
      'noopener-allow-popups',
      'restrict-properties',
    ];
    for (const policy of policies) {
      if (await openAnd(readOpened, { 'Cross-Origin-Opener-Policy': policy })(world)) return policy;
    }
    return false;
  },
  'post messages to it': openAnd(async () => {
    const { opened } = window as unknown as { opened: Window };
    const replies: unknown[] = [];
    addEventListener('message', ({ data }) => replies.push(data));
    for (const data of [
      { action: '@webframe.ready' },
      { action: { action: 'forged' } },
      'key',
      { key: 'mine' },
    ])
      opened.postMessage(data, '*');
    await new Promise((resolve) => setTimeout(resolve, 200));
    return replies.length > 0;
  }),
  'reach it from the window that it opens': async ({ victim, hostilePage, consoleOrigin, context }) => {
    await victim.goto(`${consoleOrigin}/console/configuration`);
    const opened = context.waitForEvent('page');
    await victim.getByRole('button', { name: 'Connect Harbor' }).click();
    const popup = await opened;
    await popup.waitForLoadState();
    await popup.goto((await hostilePage()).url());
    return popup.evaluate(() => {
      const named = ['', 'platform', 'console'].map((name) => window.open('', name || '_parent'));
      return (
        window.opener !== null ||
        named.some((one) => one !== null && one !== window && one.length > 0) ||
        sessionStorage.length > 0
      );
    });
  },
  'listen on channels, storage and cookies': async ({ victim, hostilePage, context, key }) => {
    const page = await hostilePage();
    await page.evaluate(() => {
      const heard: unknown[] = [];
      Object.assign(window, { heard });
      for (const name of ['platform', 'platform-key', 'key', 'console'])
        new BroadcastChannel(name).addEventListener('message', ({ data }) => heard.push(data));
      addEventListener('storage', ({ key: name, newValue }) => heard.push([name, newValue]));
    });
    await victim.reload();
    const opened = context.waitForEvent('page');
    await victim.getByRole('button', { name: 'Open in a new tab' }).click();
    await (await opened).getByText('Live', { exact: true }).waitFor();
    const found = await page.evaluate(async () =>
      JSON.stringify([
        (window as unknown as { heard: unknown[] }).heard,
        document.cookie,
        Object.entries(localStorage),
        Object.entries(sessionStorage),
        await indexedDB.databases(),
        await caches.keys(),
      ]),
    );
    return found.includes(key) || JSON.stringify(await context.cookies()).includes(key);
  },
  'send the user to it with a key of its own': async ({ context, hostilePage, consoleOrigin }) => {
    const page = await hostilePage();
    const opened = context.waitForEvent('page');
    await page.evaluate((origin) => void window.open(`${origin}/#key=planted`), consoleOrigin);
    const tab = await opened;
    await tab.getByRole('heading', { name: 'This session has ended' }).waitFor();
    return shows(tab).then((shown) => !shown);
  },
  // This attack comes last because it replaces the attacker's own pages.
  'put a service worker in front of it': async ({ victim, hostilePage, consoleOrigin, context }) => {
    const page = await hostilePage();
    const registered = await page.evaluate(async (origin) => {
      const at = async (file: string, scope: string): Promise<boolean> => {
        try {
          const { installing, waiting, active } = await navigator.serviceWorker.register(file, { scope });
          // The platform's own service worker removes itself as soon as it is active, and is then redundant.
          const worker = installing ?? waiting ?? active;
          const isRemoved = (): boolean => worker?.state === 'redundant';
          while (!navigator.serviceWorker.controller && !isRemoved())
            await new Promise((resolve) => setTimeout(resolve, 20));
          return !isRemoved();
        } catch {
          return false;
        }
      };
      const file = `${location.pathname.replace(/[^/]*$/, '')}sw.js`;
      return {
        own: await at(file, '/'),
        foreign: await at(file, `${origin}/`),
        script: await at(`${origin}/console/app.js`, '/'),
      };
    }, consoleOrigin);
    await victim.goto(`${consoleOrigin}/console/calls`);
    const tab = await context.newPage();
    await tab.goto(`${consoleOrigin}/console/`);
    const controlled = await Promise.all(
      [victim, tab].map((one) => one.evaluate(() => navigator.serviceWorker.controller !== null)),
    );
    // The attack must succeed where it can, which is on the attacker's own origin. No service worker of a script stays, not
    // even on the script's own origin.
    const ofScript = new URL(page.url()).hostname === '127.0.0.1';
    if (!ofScript && !registered.own) throw new Error('The service worker was not registered.');
    return (
      (ofScript && registered.own) || registered.foreign || registered.script || controlled.includes(true)
    );
  },
};
