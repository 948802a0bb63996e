import { replayRecording } from 'integration-platform/testing';
import { test } from 'vitest';

test('shows the profile as recorded', () => replayRecording('recordings/profile.json'));
