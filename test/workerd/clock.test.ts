import { join } from 'node:path';
import { test } from 'vitest';
import { passMonthOfDigests } from '../support/month-of-digests.js';
import { installedWorkerd } from './installed-workerd.js';

test('lets a month of digests pass in workerd, with everything at its time', () =>
  passMonthOfDigests(join(installedWorkerd().folder, 'node_modules'), ['--runtime', 'workerd']));
