import type { PlatformBase } from './platform-base.js';
import { createHash } from 'node:crypto';
import { newSecret } from './new-id.js';
import { createCollection } from './installation-records.js';

/** The owner of a management API token. */
export type Bearer = { kind: 'integration' } | { kind: 'installation'; installation: string };

export type Tokens = ReturnType<typeof createTokens>;

interface IssuedToken {
  installation: string;
  expiresAt: number;
}

const lifetime = 60 * 60 * 1000;

export function createTokens(deps: Pick<PlatformBase, 'registry' | 'state' | 'clock' | 'secrets'>) {
  const { registry, state, clock, secrets } = deps;
  const issued = createCollection<IssuedToken>(state, 'tokens');
  let own: Map<string, Bearer> | undefined;
  registry.onChange(() => (own = undefined));

  const readOwn = (): Map<string, Bearer> => {
    const bearers = registry.installations
      .all()
      .map(({ id, token }) => [digest(token), { kind: 'installation', installation: id }] as const);
    return new Map<string, Bearer>([[digest(registry.record().token), { kind: 'integration' }], ...bearers]);
  };

  return {
    bearer(token: string): Bearer | undefined {
      // Looks up the token by its digest, so that timing reveals nothing about the token.
      const key = digest(token);
      const found = (own ??= readOwn()).get(key);
      if (found) return found;
      const temporary = issued.get(key);
      if (!temporary || temporary.expiresAt <= clock.now()) return undefined;
      const { installation } = temporary;
      return registry.installations.get(installation) && { kind: 'installation', installation };
    },
    /** Creates a short-lived token for an installation. */
    issue(installation: string) {
      for (const { id, value } of state.list<IssuedToken>('tokens')) {
        if (value.expiresAt <= clock.now()) issued.delete(id);
      }
      const token = newSecret('installation');
      const expiresAt = clock.now() + lifetime;
      issued.put(digest(token), { installation, expiresAt });
      secrets.add(token);
      return { token, expiresAt };
    },
    /** Lists the tokens that `issue` has created. */
    issued: () => issued.all(),
  };
}

const digest = (token: string): string => createHash('sha256').update(token).digest('hex');
