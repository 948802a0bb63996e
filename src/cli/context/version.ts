import manifest from '../../../package.json' with { type: 'json' };

export const platformVersion: string = manifest.version;
