import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const bin = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));

export type Era = 'legacy' | 'modern';

export interface Answer {
  facts: Record<string, unknown> & { items?: Record<string, unknown>[] };
  untrusted: Record<string, unknown> & { items?: Record<string, unknown>[] };
  text?: string;
  next?: string;
  cursor?: string;
}

export interface McpHere {
  client: Client;
  /** The unmodified result of the tool. */
  raw(name: string, input?: Record<string, unknown>): Promise<{ text: string; isError: boolean }>;
  call(name: string, input?: Record<string, unknown>): Promise<Answer>;
  close(): Promise<void>;
}

/** Starts `platform mcp` in a folder and connects the official client to it. */
export async function mcpHere(cwd: string, argv: string[] = [], era: Era = 'legacy'): Promise<McpHere> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', ...argv],
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
    stderr: 'ignore',
  });
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  );
  await client.connect(transport);
  const raw = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [part] = content as { type: string; text: string }[];
    return { text: part?.text ?? '', isError: isError === true };
  };
  return {
    client,
    raw,
    call: async (name, input) => JSON.parse((await raw(name, input)).text) as Answer,
    close: () => client.close(),
  };
}
