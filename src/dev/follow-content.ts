import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Timers } from '../base/clock.js';
import type { Content } from '../content/index.js';
import type { FolderWatcher } from './reload/watch-folders.js';

/** How long to wait for further events. A single save causes several events, and a folder may be copied file by file. */
const pauseMs = 300;
/** How often to check all folders for changes that caused no event. */
const heartbeatMs = 5000;
/** How long to wait for Git, which holds a lock while it writes hundreds of files. */
const longestCheckoutMs = 15_000;

export interface FollowOptions {
  timers: Timers;
  signal: AbortSignal;
  watch: (onEvent: (folder: string) => void) => FolderWatcher;
}

/** Checks a folder of pages once its files stop changing, so that a checkout creates a single revision. */
export async function followContent(content: Content, options: FollowOptions): Promise<void> {
  const { timers, signal } = options;
  const { gitFolder } = content;
  let lastEvent = 0;
  let touched = new Set<string>();
  let wake = (): void => {};
  const folders = options.watch((folder) => {
    lastEvent = timers.monotonic();
    touched.add(folder);
    wake();
  });
  const nextEvent = (): Promise<void> => new Promise((resolve) => (wake = resolve));
  const isCheckout = (): boolean => gitFolder !== undefined && existsSync(join(gitFolder, 'index.lock'));
  // Also watches Git's log, because every commit and checkout ends by adding an entry to it.
  const logs = gitFolder === undefined ? [] : [join(gitFolder, 'logs')];

  const quietAt = (): number => (isCheckout() ? timers.monotonic() : lastEvent) + pauseMs;

  const pause = async (): Promise<void> => {
    const began = timers.monotonic();
    if (touched.size === 0) lastEvent = began;
    for (let now = began; now - began <= longestCheckoutMs; now = timers.monotonic()) {
      const left = quietAt() - now;
      if (left <= 0) return;
      await timers.sleep(left, signal);
    }
  };

  try {
    await content.ready;
    let sure = true;
    let lookedEverywhere = timers.monotonic();
    while (!signal.aborted) {
      folders.watch(new Set([...content.folders(), ...logs]));
      if (sure && touched.size === 0) await firstOf(nextEvent, timers, signal);
      if (touched.size > 0 || !sure) await pause();
      // A constant stream of events must not postpone the check of all folders.
      const isDue = timers.monotonic() - lookedEverywhere > 2 * heartbeatMs;
      const only: Set<string> | undefined = sure && !isDue && touched.size > 0 ? touched : undefined;
      if (!only) lookedEverywhere = timers.monotonic();
      touched = new Set();
      for (const folder of logs) only?.delete(folder);
      sure = (await content.look(only)) === 'sure';
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    folders.close();
  }
}

/** Waits for an event or for the next heartbeat. */
async function firstOf(event: () => Promise<void>, timers: Timers, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const either = AbortSignal.any([done.signal, signal]);
  const heartbeat = timers.sleep(heartbeatMs, either);
  await Promise.race([event(), heartbeat]);
  done.abort();
  await heartbeat.catch(() => {});
}
