import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';

/** The baseline in plain Node: an echo server behind one proxy, each in its own process. */
export async function startProxiedEcho(): Promise<{ url: string; close(): void }> {
  const echo = await listen(`(request, response) => request.pipe(response)`);
  const proxy = await listen(`
    (request, response) => {
      const { method, url: path, headers } = request;
      const onward = http.request({ host: '127.0.0.1', port: ${echo.port}, method, path, headers, agent }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
      request.pipe(onward);
    }`);
  return {
    url: `http://127.0.0.1:${proxy.port}/`,
    close() {
      proxy.kill();
      echo.kill();
    },
  };
}

async function listen(listener: string): Promise<{ port: number; kill(): void }> {
  const program = `
    const http = require('node:http');
    const agent = new http.Agent({ keepAlive: true });
    const server = http.createServer(${listener});
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<number>((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
  });
  return { port, kill: () => void child.kill() };
}

const agent = new Agent({ keepAlive: true });

export function post(
  url: string,
  body: Uint8Array,
  contentType = 'application/json',
): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-length': body.length, 'content-type': contentType };
    const outgoing = request(url, { method: 'POST', agent, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks) }));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Requests per second at this concurrency. */
export async function rate(count: number, atOnce: number, once: () => Promise<unknown>): Promise<number> {
  let left = count;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await once();
    }),
  );
  return (count / (performance.now() - began)) * 1000;
}
