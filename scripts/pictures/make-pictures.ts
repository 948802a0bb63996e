import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDevPlatform } from '../../test/support/dev-platform.js';
import { takeConsolePictures } from './console-pictures.js';
import { startIssueTracker } from './issue-tracker.js';
import { drawTerminal, themes } from './terminal-svg.js';
import { visit } from './visit.js';

const folder = new URL('../../docs/pictures/', import.meta.url);
const write = (name: string, content: string | Uint8Array): void => {
  writeFileSync(new URL(name, folder), content);
  console.log(`${name} ${Math.ceil(content.length / 1024)} KB`);
};

mkdirSync(folder, { recursive: true });
process.env['FORCE_COLOR'] = '1';
const tracker = await startIssueTracker();
// Fixed ports, so that two runs show the same addresses.
const platform = await startDevPlatform('pictures', [
  '--state=memory',
  '--port=4180',
  '--console-port=54180',
]);
try {
  await untilPrinted('site_installation_setup');
  await visit(platform.endpoint, (event) => platform.api('POST', '/events', event));
  const terminal = await calls();
  for (const [name, picture] of await takeConsolePictures(platform)) write(name, picture);
  for (const [name, theme] of Object.entries(themes))
    write(`terminal-${name}.svg`, drawTerminal('platform dev', terminal, theme));
} finally {
  await Promise.all([platform.close(), tracker.close()]);
}

async function untilPrinted(text: string): Promise<void> {
  while (!platform.output.includes(text)) await sleep(20);
}

/** Without the events of the start, and up to the code frame of the failed call. */
async function calls(): Promise<string> {
  await untilPrinted('^');
  const [banner = '', printed = ''] = platform.output.split(/^.*installed[^]*?(?=^.*[/]health)/m);
  return `${banner}          …\n${printed}`;
}
