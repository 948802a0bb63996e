// Sums up Vitest's JSON reports. Fails if a test failed or was skipped without a known reason, or if too many were retried.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const mostRetries = 3;
/** Why a test may be skipped, by a part of its name. */
const allowedSkips = {
  'with the pre-commit command on the PATH': 'pre-commit may not be installed',
  'the commands for yarn set up': 'the registry may lack a package that Yarn resolves',
};

const reports = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const tests = reports
  .flatMap((report) => report.testResults)
  .flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, name: `${relative('', name)}: ${test.fullName}` })),
  );
const having = (...statuses) => tests.filter(({ status }) => statuses.includes(status));

const slowest = tests.toSorted((a, b) => (b.duration ?? 0) - (a.duration ?? 0)).slice(0, 20);
console.log('Slowest tests:');
for (const { duration = 0, name } of slowest)
  console.log(`${(duration / 1000).toFixed(1).padStart(7)} s  ${name}`);

const retried = having('passed').filter(({ failureMessages }) => failureMessages.length > 0);
for (const { name, failureMessages } of retried)
  console.log(`retried: ${name}\n  ${failureMessages.join('\n').split('\n')[0]}`);
if (retried.length > mostRetries) console.log(`${retried.length} retries are more than ${mostRetries}.`);

const skipped = having('skipped', 'pending', 'todo');
const unexpected = skipped.filter(({ name }) => {
  const reason = Object.entries(allowedSkips).find(([part]) => name.includes(part))?.[1];
  console.log(
    `skipped: ${name}: ${reason ?? 'no known reason. Install what it needs, or add it to .ci/sum.js.'}`,
  );
  return reason === undefined;
});

const failed = having('failed');
for (const { name } of failed) console.log(`failed: ${name}`);
for (const { name, message } of reports.flatMap((report) => report.testResults))
  if (message) console.log(`failed: ${relative('', name)}: ${message.split('\n')[0]}`);
const passed = having('passed').length;
if (unexpected.length > 0) console.log(`${unexpected.length} skipped tests have no known reason.`);
console.log(`${retried.length} tests were retried.`);
console.log(`${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
if (
  failed.length + unexpected.length > 0 ||
  retried.length > mostRetries ||
  reports.some(({ success, numPassedTests }) => !success || numPassedTests === 0)
)
  process.exitCode = 1;
