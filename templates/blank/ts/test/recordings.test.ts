import { replayRecording } from 'integration-platform/testing';
import { test } from 'vitest';

test('responds with the recorded greeting', () => replayRecording('recordings/greeting.json'));
