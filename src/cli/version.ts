import manifest from '../../package.json' with { type: 'json' };

export const platformVersion: string = manifest.version;
export const bugsUrl: string = manifest.bugs.url;
