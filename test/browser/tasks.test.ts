import { afterEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/console-page.js';

const console_ = useConsole('console', ['--state', 'memory']);
let page: Page;
afterEach(() => page.context().close());

const tasks = () => page.getByRole('main').getByRole('listitem');

it('explains in an empty view how a script queues a task', async () => {
  page = await console_.open('tasks');
  await page.getByRole('region', { name: 'A script that queues a task' }).getByText('queueTask').waitFor();
});

it('lists queued tasks with their due times and reasons, runs one and cancels another', async () => {
  const { platform } = console_;
  const version = async () => (await platform.api<{ version: number }>('GET', '/overview')).version;
  platform.edit('src/index.tsx', (text) =>
    text.replace("task: { type: 'sync' },", "task: { type: 'sync', full: true }, schedule: 3600,"),
  );
  await expect.poll(version).toBe(2);
  page = await console_.open();
  const views = page.getByRole('navigation', { name: 'Views' });
  await views.getByRole('link', { name: 'Webhooks', exact: true }).waitFor();
  expect(await views.getByRole('link', { name: 'Tasks', exact: true }).count()).toBe(0);

  for (const query of ['to=', 'n=2&to='])
    await fetch(`${platform.endpoint}/sync?${query}${platform.origin}/nowhere`);
  await page.getByRole('heading', { name: 'Due next' }).waitFor();
  await page
    .getByText(/^Task: sync at [-\d :]+, in (59 min|1 h 0 min)$/)
    .first()
    .waitFor();
  await page.getByRole('link', { name: 'All tasks' }).click();
  expect(new URL(page.url()).pathname).toBe('/console/tasks');
  await views.getByRole('link', { name: 'Tasks', exact: true }).waitFor();
  await views.getByRole('link', { name: '2 queued tasks' }).waitFor();

  const first = tasks().first();
  await first.getByText('{"full":true}').waitFor();
  await first.getByText(/^in (59 min|1 h 0 min)$/).waitFor();
  await first
    .getByText(/^at (\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d$/)
    .first()
    .waitFor();
  await first.getByText('for the whole integration').waitFor();
  const ids = (await platform.api<{ id: string }[]>('GET', '/tasks')).map(({ id }) => id);
  for (const id of ids) await tasks().getByText(id, { exact: true }).waitFor();
  await first.getByRole('button', { name: /^src\/index\.tsx:\d+:\d+$/ }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await first.getByText('Queued by').waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
  // Tasks that are otherwise equal differ in the calls that queued them.
  const reasons = tasks().getByRole('link', { name: /^GET \/sync\?\S+$/ });
  await expect.poll(() => reasons.count()).toBe(2);
  const [one, other] = await reasons.allInnerTexts();
  expect(one).not.toBe(other);
  expect([one?.includes('n=2'), other?.includes('n=2')]).toEqual([false, true]);
  await first.getByRole('button', { name: /^Cancel/ }).click();
  await page.getByRole('heading', { name: '1 queued task' }).waitFor();
  await tasks()
    .getByRole('button', { name: /^Run now/ })
    .click();
  await page.getByRole('article').getByText('task sync').waitFor();
  expect(await platform.api('GET', '/tasks')).toEqual([]);
  await views.getByRole('link', { name: '1 queued task' }).waitFor({ state: 'detached' });
  await views.getByRole('link', { name: 'Tasks', exact: true }).waitFor();

  await console_.visit(page, 'tasks');
  await page.getByText('No queued tasks').waitFor();
  // The run is kept with its result and the line that queued it, and can be repeated.
  await page.getByRole('heading', { name: 'Latest runs' }).waitFor();
  const run = tasks().filter({ hasText: 'Run again' });
  await run.getByText('200', { exact: true }).waitFor();
  await run.getByRole('button', { name: /^src\/index\.tsx:\d+:\d+$/ }).waitFor();
  await run.getByRole('link', { name: /^Open/ }).click();
  await page.getByRole('article').getByText('task sync').waitFor();
  await console_.visit(page, 'tasks');
  await run.getByRole('button', { name: /^Run again/ }).click();
  await page.getByRole('article').getByText('task sync').waitFor();
  await expect.poll(async () => (await platform.api<unknown[]>('GET', '/calls?type=task')).length).toBe(2);
});

it('shows the reason of a failed run in the full width of its column', async () => {
  const { platform } = console_;
  const version = async () => (await platform.api<{ version: number }>('GET', '/overview')).version;
  const before = await version();
  platform.edit('src/index.tsx', (text) =>
    text.replace('console.info(`task ${task.type}`)', "Promise.reject(new Error('No incident.'))"),
  );
  await expect.poll(version).toBe(before + 1);
  await fetch(`${platform.endpoint}/sync?to=${platform.origin}/nowhere`);
  const [queued] = await platform.api<{ id: string }[]>('GET', '/tasks');
  await platform.api('POST', `/tasks/${queued?.id}/run`);
  page = await console_.open('tasks');
  const reason = tasks().getByText('No incident.').first();
  await reason.waitFor();
  const widths = await reason.evaluate((text) => [text.clientWidth, text.parentElement?.clientWidth]);
  expect(widths[0]).toBe(widths[1]);
});

it('lets time pass until the next task, and follows the real time again', async () => {
  const { platform } = console_;
  page = await console_.open();
  await fetch(`${platform.endpoint}/sync?to=${platform.origin}/nowhere`);
  await console_.visit(page, 'tasks');
  await page.getByRole('heading', { name: '1 queued task' }).waitFor();
  const clock = page.getByRole('group', { name: "The platform's time" });
  await clock.getByRole('button', { name: 'To what is due next' }).click();
  await page.getByRole('heading', { name: 'No queued tasks' }).waitFor();
  await clock.getByText(/ · (59 min|1 h 0 min) ahead$/).waitFor();
  await page.getByRole('navigation', { name: 'Views' }).getByText('time moved').waitFor();
  expect((await platform.api<{ ahead: number }>('GET', '/clock')).ahead).toBeGreaterThan(3_500_000);
  await clock.getByRole('button', { name: 'Real time' }).click();
  await page.getByText('time moved').waitFor({ state: 'detached' });
  expect((await platform.api<{ ahead: number }>('GET', '/clock')).ahead).toBe(0);
});
