import type { Project } from '../project.js';

export function renderPackageJson({ template, name, sdk }: Project): string {
  const content = {
    name: name.toLowerCase(),
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: {
      dev: ['platform dev', template.devFlags].filter(Boolean).join(' '),
      test: 'vitest run',
      check: 'platform validate && platform types --check && tsc && vitest run',
      'publish-check': 'platform publish-check',
    },
    devDependencies: {
      'integration-platform': sdk,
      typescript: '^5.9.0',
      vitest: '^4.1.0',
    },
    engines: { node: '>=20.19' },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}
