export interface WorkerdConfig {
  /** The name of the script's service, which is also the debugger path. */
  service: string;
  /** The names of the files in the folder that contains the configuration. */
  worker: string;
  script: string;
  settings: string;
  compatibilityDate: string;
  /** The compatibility flags that the project sets. */
  compatibilityFlags: readonly string[];
  /** A `unix:…` path, or a host and port. */
  callsAddress: string;
  outboundAddress: string;
  headHeader: string;
  memoryMb: number;
  /** The setting that makes workerd write logs as JSON. */
  logging: string;
}

/** Whether workerd provides Node modules with these compatibility flags, so that scripts may import them. */
export const hasNodeModules = (flags: readonly string[] = []): boolean =>
  flags.some((flag) => flag.startsWith('nodejs_compat'));

/** From this date on, workerd enables the flag `nodejs_compat` by default. */
const NODE_BY_DEFAULT = '2026-08-04';

/** Combines the flags that the platform needs with the production defaults, unless the project overrides them. */
function allFlags({
  compatibilityDate,
  compatibilityFlags,
}: Pick<WorkerdConfig, 'compatibilityDate' | 'compatibilityFlags'>): string[] {
  const without =
    compatibilityDate >= NODE_BY_DEFAULT && !hasNodeModules(compatibilityFlags)
      ? ['no_nodejs_compat', 'no_nodejs_compat_v2']
      : [];
  const own = ['nodejs_als', 'disallow_eval_during_startup', ...without];
  const opposite = (flag: string): string => flag.replace(/^disallow_/, 'allow_');
  return [
    ...new Set([
      ...own.filter((flag) => !compatibilityFlags.includes(opposite(flag))),
      ...compatibilityFlags,
    ]),
  ];
}

/** Returns the complete configuration in the Cap'n Proto text format. */
export function renderConfig(config: WorkerdConfig): string {
  const { worker, script, settings, service, compatibilityDate } = config;
  const { callsAddress, outboundAddress, headHeader, memoryMb, logging } = config;
  const flags = allFlags(config).map(quote).join(', ');
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = ${quote(service)}, worker = (
      modules = [
        (name = "worker.mjs", esModule = embed ${quote(worker)}),
        (name = "settings.json", json = embed ${quote(settings)}),
        (name = "script.mjs", esModule = embed ${quote(script)}),
      ],
      compatibilityDate = ${quote(compatibilityDate)},
      compatibilityFlags = [${flags}],
      globalOutbound = "outbound",
    )),
    (name = "outbound", external = (
      address = ${quote(outboundAddress)},
      http = (style = proxy, cfBlobHeader = ${quote(headHeader)}),
    )),
  ],
  sockets = [(
    name = "calls",
    address = ${quote(callsAddress)},
    http = (cfBlobHeader = ${quote(headHeader)}),
    service = ${quote(service)},
  )],
  v8Flags = ["--max-old-space-size=${memoryMb}"],
  ${logging},
);
`;
}

const quote = (text: string): string => JSON.stringify(text);
