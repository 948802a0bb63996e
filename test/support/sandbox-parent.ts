import { execa } from 'execa';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Builds a program that runs a script as the platform does. Its arguments: folder, child program (JSON for workerd),
 * code, and a mode: `call`, `exit` (exits on SIGUSR2), `close`, `loads` (reports loading) or `signals` (closes on SIGINT and SIGTERM).
 */
export async function buildSandboxParent(outfile: string): Promise<void> {
  await build({
    stdin: {
      contents: `
        import { nodeRuntime, ProcessPool, ScriptRunner } from '../../src/sandbox/index.js';
        import { workerdRuntime } from '../../src/sandbox/workerd/workerd-runtime.js';
        import { environment, event } from '../sandbox/sample-call.js';
        const [, , folder, childFile, code, then] = process.argv;
        const runtime = childFile.startsWith('{')
          ? workerdRuntime(JSON.parse(childFile))
          : nodeRuntime({ childFile, node: process.execPath, version: '1.2.3' });
        const sandbox = new ScriptRunner({
          processes: new ProcessPool({ folder, runtime }),
          observer: { mask: (text) => text, log: ({ text }) => console.log(text), outbound() {} },
        });
        sandbox.load({ code }).then(() => console.log('loaded ' + sandbox.pid()));
        if (then === 'loads') setTimeout(() => console.log('loading'), 300);
        if (then === 'call') sandbox.call({ id: 'c', event, environment });
        if (then === 'exit') process.on('SIGUSR2', () => process.exit());
        if (then === 'close') setTimeout(() => sandbox.close(), 300);
        if (then === 'signals') {
          for (const signal of ['SIGINT', 'SIGTERM'])
            process.on(signal, () => void sandbox.close().then(() => process.exit()));
        }
        setInterval(() => {}, 1000);`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
  });
}

/** Returns the processes whose command line contains the folder, except the parent. */
export async function running(place: string): Promise<string[]> {
  const { stdout } = await execa('ps', ['-eo', 'pid=,args=']);
  return stdout.split('\n').filter((line) => line.includes(place) && !line.includes('parent.mjs'));
}
