import { replayRecording } from 'integration-platform/testing';
import { test } from 'vitest';

test('sends the recorded message', () => replayRecording('recordings/update.json'));
