import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pairedRatio } from '../paired.js';
import type { Row } from '../row.js';

const platform = fileURLToPath(new URL('../../../bin/platform.js', import.meta.url));

const against = (argv: string[]) => async () => {
  const { ratio, a, b } = pairedRatio({ argv: [platform, ...argv] }, { argv: ['-e', '0'] });
  return { value: ratio, unit: 'x' as const, detail: `${a.toFixed(0)} ms against ${b.toFixed(0)} ms` };
};

/** Each run creates its own project without installing dependencies. */
async function measureInit() {
  const cwd = mkdtempSync(join(tmpdir(), 'platform-bench-init-'));
  let run = 0;
  const init = () => [platform, 'init', `hello-${run++}`, '--template', 'block', '--organization', 'acme'];
  const { ratio, a, b } = pairedRatio({ argv: init, cwd }, { argv: [platform, '--version'] });
  rmSync(cwd, { recursive: true, force: true });
  return { value: ratio, unit: 'x' as const, detail: `${a.toFixed(0)} ms against ${b.toFixed(0)} ms` };
}

export const startRows: Row[] = [
  { what: 'platform --version against node -e 0', reach: { atMost: 1.3 }, measure: against(['--version']) },
  { what: 'platform --help against node -e 0', reach: { atMost: 1.3 }, measure: against(['--help']) },
  {
    what: 'platform init without install against platform --version',
    reach: { atMost: 2 },
    measure: measureInit,
  },
];
