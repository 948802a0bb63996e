import { expect, test } from 'vitest';
import { connected, script } from '../../emulator/oauth/connected-sample.js';
import { openSession } from '../../support/open-session.js';

test("shows a call's OAuth connection up to the step that failed", async () => {
  const session = await openSession(script(), {
    integration: connected,
    oauthProvider: 'local',
    oauth: 'deny',
  });
  const start = `${session.emulator.primary().publicEndpoint}/oauth`;
  expect((await fetch(start)).status).toBe(400);
  const { json } = await session.cli(['logs', '--type', 'fetch', '--json']);
  const calls = json['items'] as { id: string }[];
  expect(calls).toHaveLength(2);
  for (const { id } of calls) {
    const { stdout } = await session.cli(['inspect', id]);
    const shown = stdout.slice(stdout.indexOf('OAuth connection'));
    expect(shown).toMatch(
      /^OAuth connection {2}failed\n {2}Authorize {2}done: redirect to provider\.example\.com, replaced by the built-in provider {2}\d+ ms {2}call_\w+\n/,
    );
    expect(shown).toContain('    < redirect: https://provider.example.com/authorize\n');
    expect(shown).toContain('The provider sent the user back with access_denied: The user denied access.\n');
    expect(shown).toContain('  Token exchange  not reached\n');
    expect(shown).toContain(`  To try again, open ${start}\n`);
    const inspected = await session.cli(['inspect', id, '--json']);
    expect(inspected.json).toMatchObject({ connection: { id: calls[0]?.id, outcome: 'failed' } });
  }
  await session.close();
});
