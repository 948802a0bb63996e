/** Who may import whom: the table of rooms. Every room may import `base`; all else that is not listed here is an error. */
const rooms = {
  base: [],
  protocol: [],
  diagnostics: [],
  runtime: ['protocol'],
  bundle: ['diagnostics'],
  manifest: ['diagnostics', 'protocol'],
  scaffold: ['manifest', 'diagnostics'],
  webhooks: ['protocol'],
  store: ['protocol', 'webhooks'],
  sandbox: ['protocol'],
  emulator: ['protocol', 'store', 'webhooks', 'sandbox'],
  dev: ['emulator', 'sandbox', 'store', 'webhooks', 'bundle', 'manifest', 'diagnostics', 'protocol'],
  publish: ['emulator', 'store', 'webhooks', 'sandbox', 'bundle', 'manifest', 'diagnostics', 'protocol'],
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
  console: ['protocol', 'diagnostics'],
  cli: [
    'bundle',
    'dev',
    'diagnostics',
    'emulator',
    'manifest',
    'protocol',
    'publish',
    'sandbox',
    'scaffold',
    'store',
    'webhooks',
  ],
};

/** npm packages and the only places that may load them. */
const packages = {
  commander: 'src/cli/',
  prompts: 'src/cli/',
  esbuild: 'src/bundle/',
  chokidar: 'src/dev/watch[.]ts',
  yaml: 'src/manifest/',
  ajv: 'src/manifest/',
  execa: 'src/(scaffold|publish|cli)/',
  libsql: 'src/store/',
  preact: 'src/console/',
};

const withoutNode = '^src/(protocol|runtime|webhooks)/';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
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
      from: { path: withoutNode },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'] },
    },
    {
      name: 'process-in-io',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(cli/io[.]ts|sandbox/child/|sandbox/end-tree[.]ts)' },
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
