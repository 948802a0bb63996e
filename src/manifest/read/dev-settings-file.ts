/** The settings of the local platform, beside the manifest. */
export const devSettingsFileName = 'platform.dev.yaml';
