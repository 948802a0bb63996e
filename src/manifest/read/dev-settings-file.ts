/** The name of the dev settings file, next to the manifest. */
export const devSettingsFileName = 'platform.dev.yaml';
