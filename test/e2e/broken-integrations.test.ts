import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { breakIntegration, brokenIntegrations, checkRepair } from '../agents/broken-integrations.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const project = fileURLToPath(new URL('../fixtures/projects/tickets', import.meta.url));

test.each(brokenIntegrations.map((one) => [one.name, one] as const))(
  'the check for %s fails before the fix and passes after it',
  async (_, broken) => {
    const folder = temporaryFolder();
    cpSync(project, folder, { recursive: true });
    await checkRepair(broken, folder);
    breakIntegration(broken, folder);
    await expect(checkRepair(broken, folder)).rejects.toThrow();
  },
);

test('covers twenty broken integrations', () => {
  expect(new Set(brokenIntegrations.map(({ name }) => name)).size).toBe(20);
});
