/** Who may import whom: the table of rooms. Every room may import `base`; all else that is not listed here is an error. */
const rooms = {
  base: [],
  terminal: [],
  protocol: [],
  diagnostics: ['terminal'],
  runtime: ['protocol'],
  bundle: ['diagnostics'],
  manifest: ['diagnostics', 'protocol'],
  scaffold: ['manifest', 'diagnostics', 'terminal'],
  webhooks: ['protocol'],
  store: ['protocol', 'webhooks'],
  sandbox: ['protocol'],
  contract: ['protocol'],
  emulator: ['contract', 'protocol', 'store', 'webhooks', 'sandbox'],
  dev: [
    'emulator',
    'sandbox',
    'store',
    'webhooks',
    'bundle',
    'manifest',
    'diagnostics',
    'terminal',
    'protocol',
  ],
  publish: [
    'emulator',
    'store',
    'webhooks',
    'sandbox',
    'bundle',
    'manifest',
    'diagnostics',
    'terminal',
    'protocol',
  ],
  testing: [
    'runtime',
    'emulator',
    'sandbox',
    'store',
    'webhooks',
    'bundle',
    'manifest',
    'diagnostics',
    'protocol',
  ],
  console: ['contract', 'protocol'],
  cli: [
    'bundle',
    'contract',
    'dev',
    'diagnostics',
    'emulator',
    'manifest',
    'protocol',
    'publish',
    'sandbox',
    'scaffold',
    'store',
    'terminal',
    'webhooks',
  ],
};

/** npm packages and the only places that may load them. */
const packages = {
  commander: 'src/cli/',
  prompts: 'src/cli/',
  esbuild: 'src/bundle/',
  chokidar: 'src/dev/reload/watch-folders[.]ts',
  yaml: 'src/manifest/',
  ajv: 'src/manifest/',
  execa: 'src/(scaffold|publish|cli)/',
  hono: 'src/emulator/',
  '@hono/node-server': 'src/emulator/',
  diff: 'src/base/text/line-diff[.]ts',
  libsql: 'src/store/',
  pg: 'src/store/postgres/',
  preact: 'src/console/',
  typebox: 'src/contract/',
};

const webOnly = 'protocol|runtime|webhooks|contract';
const withoutNode = `^src/((${webOnly})/|base/(?!node/))`;

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      // A module of workerd's configuration.
      to: { couldNotResolve: true, pathNot: '^settings[.]json$' },
    },
    ...Object.entries(rooms).map(([room, allowed]) => ({
      name: `rooms-of-${room}`,
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: { path: '^src/', pathNot: [`^src/(${['base', room, ...allowed].join('|')})/`] },
    })),
    ...Object.entries(packages).map(([name, place]) => ({
      name: `${name}-in-its-room`,
      severity: 'error',
      from: { path: '^src/', pathNot: `^${place}` },
      to: { path: `node_modules/${name}/` },
    })),
    {
      name: 'web-apis-only',
      comment: 'These rooms run in a worker as they are.',
      severity: 'error',
      from: { path: withoutNode, pathNot: '^src/base/text/line-diff[.]ts' },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'],
        pathNot: 'node_modules/typebox/',
      },
    },
    {
      name: 'contract-as-types',
      comment: 'Schemas are compiled by `npm run generate`: no command and no page loads the schema builder.',
      severity: 'error',
      from: { path: '^src/(?!contract/)|^src/contract/call[.]ts' },
      to: {
        path: '^src/contract/',
        pathNot: '^src/contract/(generated/|call[.]ts)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'base-without-node',
      comment: 'What runs in a worker or a browser takes only the part of base that needs no Node.',
      severity: 'error',
      from: { path: `^src/(${webOnly}|console)/|^src/base/(?!node/)` },
      to: { path: '^src/base/node/' },
    },
    {
      name: 'process-in-io',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(cli/io[.]ts|sandbox/child/|sandbox/process/end-tree[.]ts)' },
      to: { path: '^(node:)?process$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
