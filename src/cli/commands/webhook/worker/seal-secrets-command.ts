import { UserError } from '../../../../base/user-error.js';
import { defineCommand, fine } from '../../../context/command.js';
import {
  databaseOf,
  databaseOptions,
  secretKeyOption,
  secretKeysOf,
  type DatabaseOptions,
} from './database-options.js';

export const sealSecrets = defineCommand<DatabaseOptions & { secretKey: string }>({
  name: 'encrypt-secrets',
  summary: 'encrypt the signing secrets in a Postgres database with the first secret key',
  options: [...databaseOptions, secretKeyOption],
  examples: [
    { command: 'platform webhook encrypt-secrets', does: 'with the first key in PLATFORM_SECRET_KEY' },
    { command: 'platform webhook encrypt-secrets --secret-key NEW_AND_OLD_KEY', does: 'replace an old key' },
  ],
  async run(context, _, options) {
    const { schema, secretKey } = options;
    const secretKeys = secretKeysOf(context, secretKey);
    if (secretKeys.length === 0) {
      throw new UserError(
        'missing-input',
        `The environment variable ${secretKey} has no key.`,
        'Create a key with: openssl rand -base64 32',
      );
    }
    const { url } = databaseOf(context, options);
    const { createPostgresDeliveryStore } = await import('../../../../store/postgres/index.js');
    const store = await createPostgresDeliveryStore({
      ...(url !== undefined && { url }),
      schema,
      secretKeys,
    });
    try {
      const changed = await store.sealSecrets();
      if (context.json) context.emit({ changed });
      else context.print(`Encrypted the secrets of ${changed} ${changed === 1 ? 'endpoint' : 'endpoints'}.`);
    } finally {
      await store.close();
    }
    return fine;
  },
});
