import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumPath } from './chromium-path.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tests' browser listens. */
    browser: string;
  }
}

/** Chromium as the system has it, one for all test files; it speaks to nobody but the pages that it is sent to. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({
    executablePath: chromiumPath(),
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
