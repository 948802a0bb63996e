import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const platform = fileURLToPath(new URL('../bin/platform.js', import.meta.url));
const parent = mkdtempSync(join(tmpdir(), 'platform-demo-'));
const init = ['init', 'hello', '--template', 'block', '--organization', 'acme', '--yes', '--quiet'];
// The next steps that `init` prints are for a new project, and the demo takes them itself.
const { status } = spawnSync(process.execPath, [platform, ...init], {
  cwd: parent,
  stdio: ['inherit', 'ignore', 'inherit'],
});
if (status !== 0) process.exit(status ?? 1);

console.log(`The demo integration is in ${join(parent, 'hello')}. Change its source and watch it reload.`);
const dev = spawn(process.execPath, [platform, 'dev', ...process.argv.slice(2)], {
  cwd: join(parent, 'hello'),
  stdio: 'inherit',
});
// The terminal sends Ctrl-C to both processes. The platform decides when to exit.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => dev.kill('SIGTERM'));
dev.on('exit', (code) => (process.exitCode = code ?? 1));
