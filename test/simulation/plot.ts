import type { SimulationResult } from './simulate.js';
import { quantile } from './quantile.js';

const width = 760;
const height = 320;
const left = 64;
const right = 744;
const top = 48;
const bottom = 268;
const lowestMs = 10;
const highestMs = 20_000;

/** Waiting times of every second, with a mark for each worker that ended. Readable on light and dark pages. */
export function plotWaits({ waits, crashes }: SimulationResult, seconds: number, title: string): string {
  const first = waits[0]?.at ?? 0;
  const perSecond = Array.from({ length: seconds }, (_, second) =>
    waits.filter(({ at }) => Math.floor((at - first) / 1000) === second).map(({ ms }) => ms),
  );
  const x = (second: number): number => left + ((right - left) * second) / seconds;
  const y = (ms: number): number => {
    const share = Math.log(Math.max(ms, lowestMs) / lowestMs) / Math.log(highestMs / lowestMs);
    return bottom - (bottom - top) * share;
  };
  const line = (name: string, share: number): string => {
    const points = perSecond.map(
      (ms, second) => `${x(second + 0.5).toFixed(1)},${y(quantile(ms, share)).toFixed(1)}`,
    );
    return `<polyline class="${name}" points="${points.join(' ')}"/>`;
  };
  const grid = [10, 100, 1000, 10_000].map(
    (ms) =>
      `<line class="grid" x1="${left}" x2="${right}" y1="${y(ms)}" y2="${y(ms)}"/>` +
      `<text x="${left - 8}" y="${y(ms) + 4}" text-anchor="end">${ms < 1000 ? `${ms} ms` : `${ms / 1000} s`}</text>`,
  );
  const times = Array.from({ length: Math.floor(seconds / 10) + 1 }, (_, step) => step * 10).map(
    (second) => `<text x="${x(second)}" y="${bottom + 20}" text-anchor="middle">${second} s</text>`,
  );
  const marks = crashes.map(({ at, kind }) => {
    const place = x((at - first) / 1000).toFixed(1);
    return `<line class="${kind}" x1="${place}" x2="${place}" y1="${top}" y2="${bottom}"/>`;
  });
  const legend = [
    ['p50', 'half waited less'],
    ['p99', '99 of 100 waited less'],
    ['kill', 'a worker was killed'],
    ['freeze', 'a worker froze'],
  ].map(
    ([name, what], at) =>
      `<line class="${name} key" x1="${left + at * 175}" x2="${left + at * 175 + 18}" y1="${height - 16}" y2="${height - 16}"/>` +
      `<text x="${left + at * 175 + 24}" y="${height - 12}">${what}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<style>
  text { font: 12px system-ui, sans-serif; fill: #3b4252; }
  .title { font-size: 14px; font-weight: 600; }
  .grid { stroke: #d8dee9; }
  polyline { fill: none; stroke-width: 2; }
  .p50 { stroke: #2563eb; } .p99 { stroke: #b45309; }
  .kill { stroke: #be123c; stroke-width: 1; stroke-dasharray: 2 3; }
  .freeze { stroke: #7c3aed; stroke-width: 2; stroke-dasharray: 6 3; }
  .key { stroke-width: 2; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e5e9f0; } .grid { stroke: #4c566a; }
    .p50 { stroke: #7aa2ff; } .p99 { stroke: #f59e0b; } .kill { stroke: #fb7185; } .freeze { stroke: #c4b5fd; }
  }
</style>
<text class="title" x="${left}" y="24">${title}</text>
${[...grid, ...times, ...marks, line('p50', 0.5), line('p99', 0.99), ...legend].join('\n')}
</svg>
`;
}
