import type { Figure, Row } from './row.js';
import { devRows } from './rows/dev.js';
import { replayRows } from './rows/replay.js';
import { packageRows } from './rows/package.js';
import { sandboxRows } from './rows/sandbox.js';
import { siteRows } from './rows/site.js';
import { startRows } from './rows/start.js';
import { validateRows } from './rows/validate.js';
import { webhookRows } from './rows/webhooks.js';
import { workerdRows } from './rows/workerd.js';

const rows: Row[] = [
  ...startRows,
  ...validateRows,
  ...devRows,
  ...workerdRows,
  ...replayRows,
  ...siteRows,
  ...sandboxRows,
  ...webhookRows,
  ...packageRows,
];

const wanted = process.argv.slice(2);
const chosen = rows.filter(({ what }) => wanted.length === 0 || wanted.some((word) => what.includes(word)));
if (chosen.length === 0) {
  console.error(
    `No row has these words in its name. There are:\n${rows.map(({ what }) => `  ${what}`).join('\n')}`,
  );
  process.exitCode = 2;
}

for (const row of chosen) {
  if (row.skip !== undefined) {
    console.log(`skipped  ${row.what.padEnd(62)} ${row.skip}`);
    continue;
  }
  process.stderr.write(`measuring ${row.what} …\r`);
  console.log(renderRow(row, await row.measure()));
}

function renderRow({ what, reach }: Row, { value, unit, detail }: Figure): string {
  const [sign, limit] = 'atMost' in reach ? ['<=', reach.atMost] : ['>=', reach.atLeast];
  const reached = sign === '<=' ? value <= limit : value >= limit;
  const shown = `${value >= 100 ? Math.round(value) : value.toFixed(2)}${unit === '/s' ? unit : ` ${unit}`}`;
  return `${reached ? 'reached' : 'MISSED '}  ${what.padEnd(62)} ${shown.padStart(10)}  (${sign} ${limit})${detail ? `  ${detail}` : ''}`;
}
