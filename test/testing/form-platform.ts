import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createTestPlatform,
  type TestPlatform,
  type TestPlatformOptions,
} from 'integration-platform/testing';
import { onTestFinished } from 'vitest';
import { manifestText } from '../support/manifest-text.js';
import { integration } from './integration.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The integration of `integration.tsx`, with a manifest of its own folder. */
export async function installForm(options: Partial<TestPlatformOptions> = {}): Promise<TestPlatform> {
  const platform = await createTestPlatform({ integration, manifest: formManifest(), ...options });
  onTestFinished(() => platform.close().catch(() => {}));
  await platform.install();
  return platform;
}

export function formManifest(): string {
  const folder = temporaryFolder();
  const manifest = join(folder, 'platform-manifest.yaml');
  writeFileSync(manifest, text);
  return manifest;
}

/** The text of a manifest of the form, with these configurations and secrets. */
export function formText(more: string): string {
  const description = 'Asks for a name.';
  return manifestText({ name: 'form', title: 'Form', description, scopes: '[space:metadata:read]', more });
}

const text = formText(`configurations:
  account:
    properties:
      channel: { type: string, title: Channel, enum: ['#docs', '#news'] }
      color: { type: string, title: Colour, default: red }
      size: { type: number, title: Size }
      oauth_credentials: { type: button, title: Account, button_text: Connect, callback_url: /oauth }
    required: [channel]
  site:
    properties:
      label: { type: string, title: Label }
secrets:
  KEY: \${{ env.FORM_KEY }}
`);
