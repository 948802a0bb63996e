import { isRecord, recordAt, valueAt } from '../../../base/value-at-path.js';
import type { Path } from '../../../diagnostics/model/rule.js';
import type { ManifestFinding, ManifestRule } from '../rule-support/rule-context.js';
import { showValue } from '../rule-support/list-in-words.js';

const hostPattern = /^[a-z\d](?:[a-z\d.-]{0,250}[a-z\d])?(?::[1-9]\d{0,4})?$/;
const loopbackHost = /^(?:localhost|.*\.localhost|127\..*|0\.0\.0\.0)(?::\d+)?$/;
const doublePattern = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::[1-9]\d{0,4})?\/?$/;

export const invalidOutbound: ManifestRule = {
  code: 'manifest/invalid-outbound',
  severity: 'error',
  summary: 'An entry under outbound in platform.dev.yaml has an invalid host, server, status or delay.',
  *check({ value, mistakes }) {
    const found = Object.entries(recordAt(value, 'outbound')).flatMap(([host, double]) =>
      checkEntry(host, double),
    );
    yield* found;
    if (found.length > 0) return;
    for (const { path } of mistakes('manifest/invalid-outbound'))
      yield { message: `${showValue(valueAt(value, path))} is not allowed here.`, help: example, path };
  },
};

const example = 'Write a host and a server on this machine: api.tickets.example: http://127.0.0.1:4310';

function checkEntry(host: string, double: unknown): ManifestFinding[] {
  const path: Path = ['outbound', host];
  if (host === '*') {
    if (double === 'pass' || double === 'refuse') return [];
    return [{ message: `${showValue(double)} is not pass or refuse.`, help: 'Write "*": refuse', path }];
  }
  if (!hostPattern.test(host) || !isPlainHost(host)) {
    const message = `${showValue(host)} is not a lowercase host name.`;
    return [{ message, help: "Specify only the host, plus the port if it isn't the default.", path }];
  }
  if (loopbackHost.test(host)) {
    const message = `${host} is this machine.`;
    return [{ message, help: 'A test double can only replace other hosts.', path }];
  }
  if (typeof double === 'string') return checkDouble(double, path);
  return isRecord(double)
    ? checkMapped(double, path)
    : [{ message: `${showValue(double)} is not a valid test double.`, help: example, path }];
}

/**
 * `0x7f.1` and `2130706433` are other ways to write an IP address. They never occur in requests, because parsing a URL
 * normalizes them.
 */
const isPlainHost = (host: string): boolean => {
  const name = host.replace(/:\d+$/, '');
  return URL.parse(`http://${name}/`)?.hostname === name;
};

function checkDouble(double: string, path: Path): ManifestFinding[] {
  if (doublePattern.test(double) && URL.canParse(double)) return [];
  const message = `${showValue(double)} is not a server on this machine.`;
  const help = 'Use http:// with 127.0.0.1, localhost or [::1], a port, and no path.';
  return [{ message, help, path }];
}

const fields = ['to', 'status', 'delayMs', 'credentials'];

function checkMapped(mapped: Record<string, unknown>, path: Path): ManifestFinding[] {
  const { to, status, delayMs, credentials } = mapped;
  const problem = (field: string, message: string, help: string): ManifestFinding => ({
    message,
    help,
    path: [...path, field],
  });
  const unknown = Object.keys(mapped).filter((name) => !fields.includes(name));
  const found = [
    ...unknown.map((name) => problem(name, `Unknown key: ${name}`, `Keys: ${fields.join(', ')}.`)),
    ...(typeof to === 'string' ? checkDouble(to, [...path, 'to']) : []),
  ];
  if (to !== undefined && typeof to !== 'string')
    found.push(problem('to', `${showValue(to)} is not a server on this machine.`, example));
  if ((to === undefined) === (status === undefined))
    found.push({ message: 'Set either `to` or `status`.', help: example, path });
  if (status !== undefined && !isWhole(status, 200, 599))
    found.push(
      problem('status', `${showValue(status)} is not a valid status.`, 'Use a number from 200 to 599.'),
    );
  if (delayMs !== undefined && !isWhole(delayMs, 1, 600_000)) {
    const help = 'Use a number of milliseconds from 1 to 600000.';
    found.push(problem('delayMs', `${showValue(delayMs)} is not a valid delay.`, help));
  }
  if (credentials !== undefined && credentials !== 'real')
    found.push(
      problem(
        'credentials',
        `credentials cannot be ${showValue(credentials)}.`,
        'Use credentials: real, or leave it out.',
      ),
    );
  return found;
}

const isWhole = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
