import { replayRecording } from 'integration-platform/testing';
import { test } from 'vitest';

test('counts a button press as recorded', () => replayRecording('recordings/press.json'));
