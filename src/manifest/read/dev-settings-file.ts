export const devSettingsFileName = 'platform.dev.yaml';
