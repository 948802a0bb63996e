import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(`${root}/docs/architecture.md`, 'utf8');
const section = (title: string): string => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
const paths = (text: string): string[] =>
  [...text.matchAll(/`(src\/[^`]+\.tsx?)`/g)].map(([, path]) => path!);

const flows = section('Three flows')
  .split('\n### ')
  .slice(1)
  .map((text) => {
    const [name = '', ...lines] = text.split('\n');
    const steps = lines.filter((line) => /^\d+\. /.test(line)).map((line) => paths(line)[0]!);
    return { name, steps, wiring: paths(lines.find((line) => line.startsWith('Wired up in')) ?? '') };
  });

/** Who imports whom in `src`, type imports left out. */
let imports: Record<string, { imports: { path: string }[] }>;

beforeAll(async () => {
  const files = [...new Set(flows.flatMap(({ steps, wiring }) => [...steps, ...wiring]))];
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outdir: 'out',
    logLevel: 'error',
  });
  imports = metafile.inputs;
});

function reaches(from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const file of seen) {
    if (file === to) return true;
    for (const { path } of imports[file]?.imports ?? []) seen.add(path);
  }
  return false;
}

test('the architecture page describes three flows', () => {
  expect(flows.map(({ steps }) => steps.length >= 5)).toEqual([true, true, true]);
});

test.each(flows)('the files in the flow "$name" exist and import each other', ({ steps, wiring }) => {
  for (const [index, step] of steps.entries()) {
    const before = [...steps.slice(0, index), ...wiring];
    expect(imports, step).toHaveProperty([step]);
    if (index > 0)
      expect(
        before.some((file) => reaches(file, step)),
        `nothing before ${step} imports it`,
      ).toBe(true);
  }
});

test('the table of import rules matches the rules that are checked', () => {
  const config = createRequire(import.meta.url)(`${root}/.dependency-cruiser.cjs`) as {
    forbidden: { name: string; to: { pathNot?: string[] } }[];
  };
  const rows = [...section('Rooms').matchAll(/^\| (\w+) \|[^|]*\|([^|]*)\|$/gm)].filter(
    ([, room]) => room !== 'room',
  );
  const shown = Object.fromEntries(rows.map(([, room, allowed = '']) => [room, allowed.trim()]));
  const names = Object.keys(shown);
  const asText = (rooms: string[]): string[] => rooms.toSorted();
  for (const { name, to } of config.forbidden.filter((rule) => rule.name.startsWith('rooms-of-'))) {
    const room = name.slice('rooms-of-'.length);
    const allowed =
      /\^src\/\(([^)]*)\)/
        .exec(to.pathNot?.[0] ?? '')?.[1]
        ?.split('|')
        .filter((other) => other !== room) ?? [];
    const text = shown[room] ?? '';
    const listed = text.startsWith('every room except')
      ? names.filter((other) => other !== room && !/deliveries|runtime|console|site|testing/.test(other))
      : text.split(/,\s*/).filter(Boolean);
    expect(asText(listed), room).toEqual(asText(allowed));
  }
});
