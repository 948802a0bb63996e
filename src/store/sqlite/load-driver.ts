import { closeSync, openSync, readSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { arch, platform } from 'node:os';
import type Libsql from 'libsql';

type Driver = typeof Libsql;

const load = createRequire(import.meta.url);

/**
 * Loads libsql. On Linux, libsql uses two packages to find out which C library Node was built with. They create a diagnostic
 * report on the whole process, which takes 5 ms of CPU time at each start. If the C library is already known, these packages
 * are replaced while libsql is loaded.
 */
export function loadDriver(): Driver {
  const library = platform() === 'linux' && ['x64', 'arm64'].includes(arch()) ? findLibrary() : undefined;
  return (library && loadFor(library)) ?? (load('libsql') as Driver);
}

type Library = 'gnu' | 'musl';

/** Reads the name of the dynamic linker from the beginning of the Node executable. */
function findLibrary(): Library | undefined {
  const start = Buffer.alloc(4096);
  try {
    const file = openSync('/proc/self/exe', 'r');
    try {
      readSync(file, start, 0, start.length, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
  return start.includes('/ld-linux-') ? 'gnu' : start.includes('/ld-musl-') ? 'musl' : undefined;
}

/** Returns undefined if libsql cannot be loaded like this, for example because a later version uses other packages. */
function loadFor(library: Library): Driver | undefined {
  const family = library === 'gnu' ? 'glibc' : 'musl';
  const answers = {
    '@neon-rs/load': { currentTarget: () => `linux-${arch()}-${library}` },
    'detect-libc': { familySync: () => family, GLIBC: 'glibc', MUSL: 'musl' },
  };
  const replaced: string[] = [];
  try {
    const inLibsql = createRequire(load.resolve('libsql'));
    for (const [name, exports] of Object.entries(answers)) {
      const path = inLibsql.resolve(name);
      // Something else in this process uses the package, so it is already loaded.
      if (load.cache[path]) continue;
      load.cache[path] = Object.assign(new Module(path), { exports, loaded: true });
      replaced.push(path);
    }
    return load('libsql') as Driver;
  } catch {
    return undefined;
  } finally {
    for (const path of replaced) delete load.cache[path];
  }
}
