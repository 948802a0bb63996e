import { fileURLToPath } from 'node:url';
import { pairedRatio } from '../paired.js';
import type { Row } from '../row.js';

const platform = fileURLToPath(new URL('../../../bin/platform.js', import.meta.url));

const against = (argv: string[]) => async () => {
  const { ratio, a, b } = pairedRatio({ argv: [platform, ...argv] }, { argv: ['-e', '0'] });
  return { value: ratio, unit: 'x' as const, detail: `${a.toFixed(0)} ms against ${b.toFixed(0)} ms` };
};

export const startRows: Row[] = [
  { what: 'platform --version against node -e 0', reach: { atMost: 1.3 }, measure: against(['--version']) },
  { what: 'platform --help against node -e 0', reach: { atMost: 1.3 }, measure: against(['--help']) },
];
