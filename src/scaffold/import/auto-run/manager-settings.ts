import { quoted, type AutoRun, type Unsafe } from './auto-run.js';

interface Settings {
  /** Settings that have no effect on users who install the packages. */
  harmless: RegExp;
  /** Settings that determine where packages come from and which of them may run scripts. */
  sources: RegExp;
  entry: RegExp;
}

const npm: Settings = {
  harmless:
    /^(audit|auto-install-peers|engine-strict|fund|hoist|legacy-peer-deps|link-workspace-packages|loglevel|node-linker|package-lock|prefer-workspace-packages|progress|resolution-mode|save-exact|save-prefix|shamefully-hoist|strict-peer-dependencies|update-notifier)$/,
  sources: /^((@[\w.~-]+:)?registry|\/\/[\w.~:/-]+:\w+|always-auth)$/,
  entry: /^([^\s=]+?)(?:\[\])?\s*(?:=.*)?$/,
};
const yarn: Settings = {
  harmless:
    /^(nodeLinker|nmHoistingLimits|nmMode|enableTelemetry|enableGlobalCache|enableProgressBars|defaultSemverRangePrefix|compressionLevel|lastUpdateCheck)$/,
  sources: /^(npm\w+|registry)$/,
  entry: /^([\w@/.-]+)(?::?\s|:$)/,
};
const pnpm: Settings = {
  harmless: /^(packages|catalog|catalogs|nodeLinker|savePrefix|linkWorkspacePackages|autoInstallPeers)$/,
  sources:
    /^(allowBuilds|onlyBuiltDependencies|neverBuiltDependencies|ignoredBuiltDependencies|overrides|patchedDependencies|registry|registries)$/,
  entry: /^([\w-]+)\s*:(?:\s.*)?$/,
};

const files: Readonly<Record<string, Settings>> = {
  '.npmrc': npm,
  '.yarnrc': yarn,
  '.yarnrc.yml': yarn,
  'pnpm-workspace.yaml': pnpm,
};

/** Settings that select the public registry, which is also the default. */
const publicRegistry =
  /^(?:(?:@[\w.~-]+:)?registry|npmRegistryServer)(?:\s*[=:]\s*|\s+)(["']?)https:\/\/registry\.(?:npmjs\.org|npmjs\.com|yarnpkg\.com)\/?\1$/;

const mostShown = 10;

/** Returns a decision for each package manager setting, including unknown ones, because they might start a program. */
export function settingsOf(name: string, text: string): AutoRun[] {
  const settings = Object.hasOwn(files, name) ? files[name] : undefined;
  if (!settings) return [];
  const found = text
    .split(/\r\n|\r|\n/)
    .map((content, index) => ({ content, line: index + 1 }))
    // Lines that continue a YAML value are indented or are list items.
    .filter(({ content }) => (settings === npm ? content.trim() !== '' : /^[^\s#-]/.test(content)))
    .filter(({ content }) => !/^\s*([#;]|---$)/.test(content))
    .flatMap(({ content, line }): AutoRun[] => {
      const [, key = ''] = settings.entry.exec(content.trim()) ?? [];
      if (settings.harmless.test(key) || publicRegistry.test(content.trim())) return [];
      // With `${NAME}`, the package manager would send an environment variable's value to the URL in the setting.
      const unsafe: Unsafe = settings.sources.test(key) && !content.includes('${') ? 'scripts' : 'install';
      const message = settings.sources.test(key)
        ? `This setting decides which packages are installed: ${quoted(withoutSecrets(content))}. Keep it only if you trust it.`
        : `The package manager may start programs because of this setting: ${quoted(withoutSecrets(content))}. Keep it only if you know what it does.`;
      return [{ line, message, unsafe }];
    });
  const more = found.length - mostShown;
  if (more <= 0) return found;
  const unsafe = found.some((one) => one.unsafe === 'install') ? ('install' as const) : ('scripts' as const);
  return [...found.slice(0, mostShown), { message: `This file has ${more} more of these settings.`, unsafe }];
}

/** Replaces values that may be secret. A setting's name is enough for the author to decide whether to keep it. */
const withoutSecrets = (line: string): string =>
  line
    .slice(0, 500)
    .replace(/(auth|token|password|secret|cert|key|username|email)(\w*["']?\s*[=:\s]\s*).*/i, '$1$2…')
    .replace(/\/\/[^/@\s]*@/g, '//…@');
