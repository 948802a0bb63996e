import { delimiter } from 'node:path';
import { expect, it } from 'vitest';
import { findBrowser } from '../../src/dev/static-site/take-picture.js';

it.each([
  ['linux', { PATH: ['.', '/opt/bin', '/usr/bin'].join(delimiter) }, '/usr/bin/google-chrome'],
  ['linux', { PATH: '/usr/bin', CHROME_PATH: '/my/chrome' }, '/my/chrome'],
  ['linux', { PATH: '.' }, undefined],
  ['darwin', {}, '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
  ['win32', { 'PROGRAMFILES(X86)': '/x86' }, '/x86/Microsoft/Edge/Application/msedge.exe'],
])('finds a browser on %s with %j', (platform, env, found) => {
  const installed = [
    'google-chrome',
    '/usr/bin/google-chrome',
    '/my/chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    '/x86/Microsoft/Edge/Application/msedge.exe',
  ];
  expect(findBrowser({ env, platform }, (path) => installed.includes(path))).toBe(found);
});
