// Makes Node on Linux follow the rules of macOS that the platform depends on.
const fs = require('node:fs');
const Module = require('node:module');
const { Server } = require('node:net');

Object.defineProperty(process, 'platform', { value: 'darwin' });

// The programs of esbuild and libsql are those of this machine.
const resolve = Module._resolveFilename;
Module._resolveFilename = function resolveFilename(request, ...rest) {
  const binding = request.replace(/^(@(?:esbuild|libsql)\/)darwin-(x64|arm64)/, '$1linux-$2');
  return resolve.call(this, binding.replace(/^(@libsql\/linux-\w+)$/, '$1-gnu'), ...rest);
};

const failing = (code) => Object.assign(new Error(`${code}: by the rules of macOS`), { code });

// There is no /proc.
for (const name of ['readFileSync', 'readdirSync', 'readlinkSync']) {
  const original = fs[name];
  fs[name] = (path, ...rest) => {
    if (String(path).startsWith('/proc')) throw failing('ENOENT');
    return original(path, ...rest);
  };
}
Module.syncBuiltinESMExports();

// The only loopback address is 127.0.0.1, and the paths of sockets have at most 103 bytes.
const { listen } = Server.prototype;
Server.prototype.listen = function listenAsOnMacos(where, ...rest) {
  const { host, path } = typeof where === 'object' && where !== null ? where : {};
  const code = /^127\.(?!0\.0\.1$)/.test(host ?? '')
    ? 'EADDRNOTAVAIL'
    : (path ?? '').length > 103
      ? 'EINVAL'
      : undefined;
  if (code === undefined) return listen.call(this, where, ...rest);
  process.nextTick(() => this.emit('error', failing(code)));
  return this;
};
