import { expect, test } from 'vitest';
import { checks } from '../../../src/publish/checks/index.js';
import { manifestCheck } from '../../../src/publish/run-checks.js';
import { listingDefects } from './listing-defects.js';
import { scriptDefects } from './script-defects.js';
import { check, createProject } from '../project-under-check.js';

const defects = [...listingDefects, ...scriptDefects];

test('there are at least sixty, and each check that can fail has one', () => {
  expect(defects.length).toBeGreaterThanOrEqual(60);
  const people = ['publish/unique-name', 'publish/behaviour'];
  // test/workerd/publish-check.test.ts, where it is installed.
  const elsewhere = [...people, 'publish/workerd'];
  const codes = [manifestCheck, ...checks]
    .map(({ code }) => code)
    .filter((code) => !elsewhere.includes(code));
  expect(
    [...new Set(defects.map(([, , code]) => code))].sort(),
    'Add a project that fails the check to listing-defects.ts or script-defects.ts, beside this file.',
  ).toEqual(codes.sort());
});

/** Errors break a rule of the specification, or keep the integration from running. */
const failing = [manifestCheck, ...checks]
  .filter(({ severity }) => severity === 'error')
  .map(({ code }) => code);

/** Three checks report what other commands report too, in the same words. */
const room = (code: string): RegExp =>
  code === manifestCheck.code
    ? /^manifest\//
    : /^publish\/(script|web-apis)$/.test(code)
      ? /^bundle\//
      : /^$/;

test.each(defects)('%s', async (_, files, code, { verdict: given, ...options } = {}) => {
  await using fixture = await createProject(files);
  const { report, checks } = await check(fixture, options);
  const verdict = given ?? (failing.includes(code) ? 'fail' : 'warn');
  expect(checks.find(({ id }) => id === code)?.verdict).toBe(verdict);
  expect(checks.filter((one) => one.verdict === 'fail').map(({ id }) => id)).toEqual(
    verdict === 'fail' ? [code] : [],
  );
  expect(report.ok).toBe(verdict === 'warn');
  expect((await check(fixture, { ...options, strict: true })).report.ok).toBe(false);
  const severity = verdict === 'fail' ? 'error' : 'warning';
  const own = report.diagnostics.filter(
    (one) => one.severity === severity && (one.code === code || room(code).test(one.code)),
  );
  // One cause, one finding.
  expect(report.diagnostics.filter((one) => one.severity !== 'info')).toHaveLength(1);
  expect(own).toHaveLength(1);
  expect(own.every((one) => one.help !== undefined || one.code === 'bundle/syntax-error')).toBe(true);
});
