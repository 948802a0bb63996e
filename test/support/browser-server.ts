import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tests' browser listens. */
    browser: string;
  }
}

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium as the system has it, one for all test files; it speaks to nobody but the pages that it is sent to. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = [process.env.CHROMIUM, ...places].find((path) => path && existsSync(path));
  if (!executablePath) {
    throw new Error('The browser tests need Chromium. Install it with: apt-get install chromium');
  }
  const server = await chromium.launchServer({
    executablePath,
    host: '127.0.0.1',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
