import { expect, test } from 'vitest';
import { renderJunit } from '../../../src/diagnostics/report/render-junit.js';
import { createReport } from '../../../src/diagnostics/report/report.js';
import { finding, view } from '../sample-report.js';

test('writes a JUnit test suite for each file and a test case for each finding', () => {
  const text = renderJunit(
    createReport(
      ['/work/platform-manifest.yaml', '/work/good.yaml'],
      [
        finding('error', '3:1-3:11', 'No key "a" & <b>.', { help: 'Two\nlines.' }),
        finding('warning', undefined, 'Hm.'),
      ],
    ),
    view(''),
  );
  expect(text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="platform" tests="3" failures="1" errors="0">
  <testsuite name="platform-manifest.yaml" tests="2" failures="1" errors="0" skipped="0">
    <testcase classname="platform-manifest.yaml" name="manifest/unknown-key">
      <system-out>warning: platform-manifest.yaml&#10;Hm.</system-out>
    </testcase>
    <testcase classname="platform-manifest.yaml" name="manifest/unknown-key:3:1">
      <failure type="error" message="No key &quot;a&quot; &amp; &lt;b&gt;.">platform-manifest.yaml:3:1&#10;No key &quot;a&quot; &amp; &lt;b&gt;.&#10;Two&#10;lines.</failure>
    </testcase>
  </testsuite>
  <testsuite name="good.yaml" tests="1" failures="0" errors="0" skipped="0">
    <testcase classname="good.yaml" name="no problems" />
  </testsuite>
</testsuites>
`);
});
