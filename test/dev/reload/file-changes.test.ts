import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileChanges } from '../../../src/dev/reload/file-changes.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test('waits for the next file change until the session is asked to end', async () => {
  const closing = new AbortController();
  const changes = createFileChanges(closing.signal);
  const file = join(temporaryFolder(), 'a.txt');
  changes.watch([file]);
  const next = changes.next();
  writeFileSync(file, 'a');
  await next;
  const never = changes.next();
  closing.abort('over');
  await expect(never).rejects.toBe('over');
});

test('does not wait for a file change if the session has already been asked to end', async () => {
  await expect(createFileChanges(AbortSignal.abort('over')).next()).rejects.toBe('over');
});
