import type { Integration } from '../../../src/protocol/integration.js';
import { createSample, integration, type Sample } from '../emulator-under-test.js';

export const shared: Integration = {
  ...integration,
  visibility: 'public',
  secrets: { KEY: 'canary-secret' },
  configurations: { account: { properties: { key: { type: 'string' } }, required: ['key'] } },
};

export interface Called extends Sample {
  call(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<{ status: number; body: unknown }>;
  tokens: { integration: string; first: string; second: string };
}

export async function createCalled(options: Parameters<typeof createSample>[1] = {}): Promise<Called> {
  const sample = createSample(undefined, { integration: shared, ...options });
  await sample.emulator.start();
  await sample.emulator.install({ organization: 'org_other' });
  const tokenOf = (id: string): string =>
    sample.calls.find(({ event }) => event.installationId === id)?.environment.apiTokens.installation ?? '';
  const tokens = {
    integration: sample.calls[0]?.environment.apiTokens.integration ?? '',
    first: tokenOf('installation_1'),
    second: tokenOf('installation_2'),
  };
  return {
    ...sample,
    tokens,
    async call(method, path, { token = tokens.integration, body, headers } = {}) {
      const response = await sample.get(`/api/v1${path}`, {
        method,
        headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
  };
}
