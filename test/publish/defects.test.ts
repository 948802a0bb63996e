import { expect, test } from 'vitest';
import { checks } from '../../src/publish/checks/index.js';
import { manifestCheck } from '../../src/publish/manifest-check.js';
import { listingDefects } from './listing-defects.js';
import { scriptDefects } from './script-defects.js';
import { check, createProject } from './support.js';

const defects = [...listingDefects, ...scriptDefects];

test('there are sixty and more, and each check that can fail has one', () => {
  expect(defects.length).toBeGreaterThanOrEqual(60);
  const people = ['publish/unique-name', 'publish/behaviour'];
  const codes = [manifestCheck, ...checks].map(({ code }) => code).filter((code) => !people.includes(code));
  expect([...new Set(defects.map(([, , code]) => code))].sort()).toEqual(codes.sort());
});

test.each(defects)('%s', async (_, files, code, options) => {
  await using fixture = await createProject(files);
  const { report, checks } = await check(fixture, options);
  expect(checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([code]);
  expect(report.ok).toBe(false);
  const ofManifest = code === manifestCheck.code;
  const own = report.diagnostics.filter(
    (one) => one.severity === 'error' && (ofManifest ? one.code.startsWith('manifest/') : one.code === code),
  );
  expect(own.length).toBeGreaterThan(0);
  expect(own.every(({ help }) => help !== undefined)).toBe(true);
});
