import { readFileSync, writeFileSync } from 'node:fs';
import { plotWaits } from './plot.js';
import { quantile } from './quantile.js';
import { simulate, type SimulationOptions, type SimulationResult } from './simulate.js';

const page = 'docs/benchmarks.md';
const plot = 'docs/reference/webhook-delivery-simulation.svg';
const seconds = 60;

const large: SimulationOptions = {
  workers: 100,
  endpoints: 100_000,
  perSecond: 5000,
  seconds,
  failing: 0,
  hanging: 0,
  killsPerMinute: 0,
  freezesPerMinute: 0,
  shedMs: 1000,
  seed: 1,
};
const mixed = { ...large, failing: 0.1, hanging: 0.01 };
const everything = { ...mixed, killsPerMinute: 10, freezesPerMinute: 2 };

const scenarios: [what: string, options: SimulationOptions][] = [
  [
    '4 workers, 4,000 endpoints, 200 events a second',
    { ...large, workers: 4, endpoints: 4000, perSecond: 200 },
  ],
  ['100 workers, 100,000 endpoints, 5,000 events a second', large],
  ['the same, 10% of the endpoints fail, 1% hang', mixed],
  ['the same, with 10 workers killed per minute', { ...mixed, killsPerMinute: 10 }],
  ['the same, with 2 more workers frozen per minute', everything],
  [
    '10 workers killed per minute, but a lane waits for its last request in flight',
    { ...mixed, killsPerMinute: 10, shedMs: 60_000 },
  ],
];

const shown = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

function renderRow(what: string, { waits, loads, gaps, ...result }: SimulationResult): string {
  const waited = waits.map(({ ms }) => ms);
  const most = Math.max(...loads) / (loads.reduce((sum, load) => sum + load, 0) / loads.length);
  const unwritten = result.crashes.reduce((sum, crash) => sum + crash.unwritten, 0);
  return `| ${[
    what,
    [0.5, 0.99, 0.999, 1].map((share) => shown(quantile(waited, share))).join(' / '),
    `${result.unfinished} of ${result.events}`,
    result.crashes.length === 0 ? '0' : `${result.repeated} (${unwritten} in flight)`,
    gaps.length === 0 ? '' : `${shown(quantile(gaps, 0.5))} / ${shown(quantile(gaps, 1))}`,
    result.mostOpen,
    `${most.toFixed(1)}x`,
  ].join(' | ')} |`;
}

const lines = [
  '| scenario | wait p50 / p99 / p99.9 / longest | lost | sent twice | lanes without a worker, p50 / longest | most requests at a time | busiest worker |',
  '| --- | --- | --- | --- | --- | --- | --- |',
];
for (const [what, options] of scenarios) {
  const result = await simulate(options);
  lines.push(renderRow(what, result));
  console.log(lines.at(-1));
  if (options === everything) {
    writeFileSync(
      plot,
      plotWaits(result, seconds, 'How long healthy endpoints wait, 100 workers and 100,000 endpoints'),
    );
  }
}

const table = `<!-- simulation -->\n\n${lines.join('\n')}\n\n<!-- /simulation -->`;
writeFileSync(
  page,
  readFileSync(page, 'utf8').replace(/<!-- simulation -->[^]*<!-- \/simulation -->/, () => table),
);
