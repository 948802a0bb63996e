import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median } from '../paired.js';
import type { Row } from '../row.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const pauseMs = 300;

/** What the probe has seen since the last look. */
interface Seen {
  longestBlock: number;
  /** Milliseconds of processor time, which other programs on the machine do not change. */
  processor: number;
  memory: number;
}

interface Measured {
  /** From the start of the process until it is ready. */
  start: number;
  /** From then until the first page of the site is complete. */
  known: number;
  page: number[];
  pageBytes: number;
  firstSearch: number;
  search: number[];
  save: number[];
  seen: Record<'read' | 'pages' | 'first search' | 'searches' | 'saves', Seen>;
}

/** A session of `platform dev` with this number of pages of about 6 KB. */
async function measureSite(count: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-site-'));
  try {
    cpSync(join(root, 'test/fixtures/site'), folder, { recursive: true });
    const files = writePages(join(folder, 'docs'), count);
    return await measureFolder(folder, files);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureFolder(folder: string, files: readonly string[]): Promise<Measured> {
  const began = performance.now();
  const probe = join(root, 'test/bench/loop-probe.mjs');
  const platform = join(root, 'bin/platform.js');
  const argv = ['--expose-gc', '--import', probe, platform, 'dev', '--json', '--port', '0'];
  const child = spawn(process.execPath, [...argv, '--state', 'memory'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, CI: '1' },
  });
  const updates: (() => void)[] = [];
  let begin: ((site: string) => void) | undefined;
  const started = new Promise<string>((resolve) => (begin = resolve));
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { type, urls, call } = JSON.parse(line) as {
        type: string;
        urls?: { site: string };
        call?: { type: string };
      };
      if (type === 'ready' && urls) begin?.(urls.site);
      if (type === 'call-started' && call?.type === 'space_content_updated') updates.shift()?.();
    });
  const look = async (): Promise<Seen> => {
    child.send('look');
    const [message] = (await once(child, 'message')) as [Seen];
    return message;
  };
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  const repeated = async (times: number, work: (nth: number) => Promise<number>): Promise<number[]> => {
    const all: number[] = [];
    for (let nth = 0; nth < times; nth += 1) all.push(await work(nth));
    return all;
  };

  try {
    const site = (await started).replace(/[#?].*$/, '').replace(/\/$/, '');
    const start = performance.now() - began;
    await look();
    const get = async (path: string): Promise<string> => {
      const response = await fetch(site + path);
      if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
      return response.text();
    };
    const known = await timed(() => get('/'));
    const read = await look();
    const pageBytes = (await get('/')).length;
    await look();
    const page = await repeated(40, () => timed(() => get('/')));
    const inPages = await look();
    const words = ['installation', 'token', 'part 9', 'nothing-has-this'];
    const ask = (nth: number): Promise<number> => timed(() => get(`/~/search.json?words=${words[nth % 4]}`));
    const firstSearch = await ask(0);
    const inFirst = await look();
    const search = await repeated(12, ask);
    const inSearch = await look();
    const save = await repeated(12, async (nth) => {
      const file = files[Math.floor((nth * files.length) / 12)] ?? '';
      const update = new Promise<void>((resolve) => updates.push(resolve));
      const time = await timed(async () => {
        writeFileSync(file, `${readFileSync(file, 'utf8')}\nSaved ${nth}.\n`);
        await update;
      });
      await sleep(pauseMs);
      return time - pauseMs;
    });
    const inSaves = await look();
    const seen = { read, pages: inPages, 'first search': inFirst, searches: inSearch, saves: inSaves };
    return { start, known, page, pageBytes, firstSearch, search, save, seen };
  } finally {
    child.kill('SIGINT');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}

const words =
  'the platform sends a signed request when an installation changes its configuration and a reader opens your page with the token from settings';

/** Folders of 25 pages, three levels deep. */
function writePages(folder: string, count: number): string[] {
  const files: string[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const [part, section] = [Math.floor(nth / 500), Math.floor(nth / 25) % 20];
    const here = join(folder, `part-${part}`, `section-${section}`);
    if (nth % 25 === 0) mkdirSync(here, { recursive: true });
    const file = join(here, `page-${nth}.md`);
    writeFileSync(file, pageText(nth));
    files.push(file);
  }
  return files;
}

function pageText(nth: number): string {
  const list = words.split(' ');
  let seed = nth;
  const sentence = (): string =>
    Array.from(
      { length: 14 },
      () => list[(seed = (seed * 1103515245 + 12345) % 2147483648) % list.length],
    ).join(' ');
  const section = (at: number): string =>
    `## Part ${at} of ${sentence().slice(0, 24).trim()}\n\n${sentence()}. **Note:** ${sentence()}, see [the next page](page-${nth + 1}.md).\n\n- ${sentence()}\n- ${sentence()}\n\n\`\`\`sh\n# ${sentence()}\nplatform dev --port ${at}\n\`\`\`\n\n| name | text |\n| --- | --- |\n| \`${at}\` | ${sentence()} |\n`;
  return `# Page ${nth}\n\n${sentence()}.\n\n${Array.from({ length: 9 }, (_, at) => section(at)).join('\n')}`;
}

const pages = 10_000;
let measuring: Promise<{ large: Measured; small: Measured }> | undefined;
const measured = (): Promise<{ large: Measured; small: Measured }> =>
  (measuring ??= (async () => ({ small: await measureSite(3), large: await measureSite(pages) }))());

const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const highest = (values: readonly number[]): string => `slowest ${milliseconds(Math.max(...values))}`;

const spent = ({ processor }: Seen, times = 1): string =>
  `${milliseconds(processor / times)} of processor time`;

export const siteRows: Row[] = [
  {
    what: '10,000 pages: start to ready, against 3 pages',
    reach: { atMost: 1.15 },
    async measure() {
      const { small, large } = await measured();
      const detail = `${milliseconds(large.start)} against ${milliseconds(small.start)}`;
      return { value: large.start / small.start, unit: 'x', detail };
    },
  },
  {
    what: '10,000 pages: ready to the first complete page',
    reach: { atMost: 4000 },
    async measure() {
      const { small, large } = await measured();
      const detail = `${spent(large.seen.read)}, 3 pages ${milliseconds(small.known)}`;
      return { value: large.known, unit: 'ms', detail };
    },
  },
  {
    what: '10,000 pages: the home page',
    reach: { atMost: 100 },
    async measure() {
      const { page, pageBytes, seen } = (await measured()).large;
      const detail = `${spent(seen.pages, page.length)}, ${highest(page)}, ${(pageBytes / 1024).toFixed(0)} KB`;
      return { value: median(page), unit: 'ms', detail };
    },
  },
  {
    what: '10,000 pages: the first search',
    reach: { atMost: 1000 },
    async measure() {
      const { firstSearch, search, seen } = (await measured()).large;
      const detail = `${spent(seen['first search'])}, later ones ${milliseconds(median(search))}`;
      return { value: firstSearch, unit: 'ms', detail };
    },
  },
  {
    what: '10,000 pages: a save to its event, after the pause',
    reach: { atMost: 100 },
    async measure() {
      const { save, seen } = (await measured()).large;
      const detail = `${spent(seen.saves, save.length)}, ${highest(save)}`;
      return { value: median(save), unit: 'ms', detail };
    },
  },
  {
    what: '10,000 pages: memory, more than with 3 pages',
    reach: { atMost: 60 },
    async measure() {
      const { small, large } = await measured();
      const { memory } = large.seen.saves;
      return {
        value: memory - small.seen.saves.memory,
        unit: 'MB',
        detail: `${memory.toFixed(0)} MB in all`,
      };
    },
  },
  {
    what: '10,000 pages: the longest block of the event loop',
    reach: { atMost: 100 },
    async measure() {
      const seen = Object.entries((await measured()).large.seen);
      const detail = seen
        .map(([what, { longestBlock }]) => `${what} ${milliseconds(longestBlock)}`)
        .join(', ');
      return { value: Math.max(...seen.map(([, { longestBlock }]) => longestBlock)), unit: 'ms', detail };
    },
  },
];
