import { join } from 'node:path';
import { createFixture } from 'fs-fixture';
import { expect, onTestFinished, test } from 'vitest';
import { bundleOnce } from '../../src/bundle/index.js';
import { createSourceCheck } from '../../src/dev/check-sources.js';
import type { Diagnostic } from '../../src/diagnostics/model/diagnostic.js';

/** Reports the problems of a project with this script: code, line and the reason for ignored ones. */
async function reported(script: string): Promise<string[]> {
  const fixture = await createFixture({ 'src/index.ts': script });
  onTestFinished(() => fixture.rm());
  const folder = fixture.path.replace(/\/$/, '');
  const built = await bundleOnce({ entry: join(folder, 'src/index.ts'), folder, sdk: { folder } });
  expect(built.ok).toBe(true);
  const found = await new Promise<Diagnostic[]>((resolve) => {
    const check = createSourceCheck(folder, resolve);
    onTestFinished(check.close);
    check.begin(built.ok ? built.value.files : [], built.diagnostics);
  });
  return found.map(({ code, range, ignored = 'not ignored' }) => `${code} ${range?.start.line} ${ignored}`);
}

const compared = 'export default { same: (a: number) => a === NaN };';

test.each<[what: string, script: string, found: string[]]>([
  ['reports a problem found by the build', compared, ['bundle/suspicious-code 1 not ignored']],
  [
    'ignores a problem found by the build if a comment ignores it',
    `// platform-ignore bundle/suspicious-code: on purpose\n${compared}`,
    ['bundle/suspicious-code 2 on purpose'],
  ],
  [
    'also reports an ignore comment without a reason',
    `// platform-ignore bundle/suspicious-code\n${compared}`,
    ['bundle/suspicious-code 2 ', 'bundle/ignore-without-reason 1 not ignored'],
  ],
])('%s', async (_, script, found) => expect(await reported(script)).toEqual(found));
