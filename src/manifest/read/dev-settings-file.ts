/** The name of the dev settings file, which is in the same folder as the manifest. */
export const devSettingsFileName = 'platform.dev.yaml';
