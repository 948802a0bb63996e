/** The dev settings, in the manifest's folder. */
export const devSettingsFileName = 'platform.dev.yaml';
