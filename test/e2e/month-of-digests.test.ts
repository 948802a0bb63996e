import { test } from 'vitest';
import { passMonthOfDigests } from '../support/month-of-digests.js';

test('lets a month of digests pass in Node, with everything at its time', () => passMonthOfDigests('', []));
