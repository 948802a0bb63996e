import { replayRecording } from 'integration-platform/testing';
import { test } from 'vitest';

test('accepts the recorded delivery', () => replayRecording('recordings/delivery.json'));
