export const gitbook = {
  manifest: 'gitbook-manifest.yaml',
  name: 'GitBook',
  runtime: '@gitbook/runtime',
  jsx: '@gitbook/runtime',
  mainFields: ['worker', 'browser', 'module', 'jsnext', 'main'],
  compatibilityDate: '2025-05-25',
  compatibilityFlags: ['nodejs_compat', 'allow_eval_during_startup'],
  organizationInTarget: true as const,
  assets: '.gitbook',
  vault: { scheme: 'op', command: ['op', 'read', '--no-newline'] },
};
