import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

let made: string | undefined;

/** A package that exports the SDK from its sources: what the command's own package is when it is built. */
export function sdkPackage(): string {
  if (made) return made;
  const folder = mkdtempSync(join(tmpdir(), 'sdk-'));
  mkdirSync(folder, { recursive: true });
  symlinkSync(fileURLToPath(new URL('../../src', import.meta.url)), join(folder, 'src'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'integration-platform',
      type: 'module',
      exports: {
        '.': './src/runtime/index.ts',
        './jsx-runtime': './src/runtime/jsx-runtime.ts',
        './webhooks': './src/webhooks/index.ts',
      },
    }),
  );
  made = folder;
  return folder;
}
