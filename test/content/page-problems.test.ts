import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openContent } from '../../src/content/index.js';

test('a page problem is reported once, and again if it returns after a fix', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'platform-content-')));
  const page = join(folder, 'a.md');
  const broken = '---\ntitle: [a\n---\n';
  writeFileSync(page, broken);
  const reported: string[] = [];
  const content = openContent({
    folder,
    spaceId: 'space_local',
    clock: { now: () => 0 },
    ids: { read: () => ({}), write: () => {} },
    onWarning: ({ file }) => reported.push(file),
  });
  onTestFinished(() => {
    content.close();
    rmSync(folder, { recursive: true });
  });
  await content.ready;
  await content.look();
  expect(reported).toEqual(['a.md']);
  writeFileSync(page, '# Fine');
  await content.look();
  writeFileSync(page, broken);
  await content.look();
  expect(reported).toEqual(['a.md', 'a.md']);
});
