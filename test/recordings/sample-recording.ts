import type { Integration } from '../../src/protocol/integration.js';
import type { RecordedCall, Recording } from '../../src/recordings/file/recording.js';

export const integration: Integration = {
  name: 'sample',
  title: 'Sample',
  description: '',
  organization: 'acme',
  visibility: 'private',
  scopes: [],
  previewImages: [],
  categories: [],
  blocks: [],
  externalLinks: [],
  configurations: {
    account: { properties: { greeting: { type: 'string', default: 'Hello' } }, required: [] },
  },
  secrets: {},
  target: 'all',
  contentSources: [],
};

const sampleCall = (call: Partial<RecordedCall> = {}): RecordedCall => ({
  name: 'space_view',
  after: 0,
  stored: {
    installation: { id: 'ins_1', organization: 'acme', status: 'active', configuration: {}, externalIds: [] },
  },
  event: { type: 'space_view', eventId: 'evt_1', installationId: 'ins_1' },
  outbound: [],
  ...call,
});

export const sampleRecording = (...calls: Partial<RecordedCall>[]): Recording => ({
  version: 1,
  integration: 'sample',
  platform: '0.3.0',
  at: '2026-01-02T03:04:05.000Z',
  secrets: { API_KEY: 'example-api-key' },
  calls: calls.map(sampleCall),
});
