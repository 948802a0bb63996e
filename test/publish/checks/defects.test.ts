import { expect, test } from 'vitest';
import { checks } from '../../../src/publish/checks/index.js';
import { manifestCheck } from '../../../src/publish/run-checks.js';
import { listingDefects } from './listing-defects.js';
import { scriptDefects } from './script-defects.js';
import { check, createProject } from '../project-under-check.js';

const defects = [...listingDefects, ...scriptDefects];

test('covers at least sixty defects and every check that can fail', () => {
  expect(defects.length).toBeGreaterThanOrEqual(60);
  const people = ['publish/unique-name', 'publish/behaviour'];
  // Covered in test/workerd/publish-check.test.ts, where workerd is installed.
  // The rehearsal is covered in test/e2e/rehearsal.test.ts, which has recordings.
  const elsewhere = [...people, 'publish/workerd', 'publish/rehearsal'];
  const codes = [manifestCheck, ...checks]
    .map(({ code }) => code)
    .filter((code) => !elsewhere.includes(code));
  expect(
    [...new Set(defects.map(([, , code]) => code))].sort(),
    'Add a project that fails the check to listing-defects.ts or script-defects.ts, beside this file.',
  ).toEqual(codes.sort());
});

/** Errors violate the specification or prevent the integration from running. */
const failing = [manifestCheck, ...checks]
  .filter(({ severity }) => severity === 'error')
  .map(({ code }) => code);

/** Three checks repeat problems from other commands in the same words. */
const room = (code: string): RegExp =>
  code === manifestCheck.code
    ? /^manifest\//
    : /^publish\/(script|web-apis)$/.test(code)
      ? /^bundle\//
      : /^$/;

test.each(defects)('reports %s', async (_, files, code, { verdict: given, ...options } = {}) => {
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
