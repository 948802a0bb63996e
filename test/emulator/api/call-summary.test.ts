import { expect, it } from 'vitest';
import { callSubject } from '../../../src/emulator/calls/call-views.js';
import type { EventOf } from '../../../src/protocol/events.js';
import { sampleEvent } from '../../../src/protocol/sample-events.js';

it('summarizes the subject of an event', () => {
  const setup: EventOf<'site_installation_setup'> = {
    ...sampleEvent('site_installation_setup', { siteId: 'site_1' }),
    status: 'active',
    previous: { status: 'pending' },
  };
  expect(callSubject(setup)).toEqual({ site: 'site_1', subject: 'pending → active' });
  expect(callSubject({ ...setup, previous: { status: 'active' } })).toMatchObject({ subject: 'active' });
  expect(
    callSubject({ ...sampleEvent('ui_render', { componentId: 'poll' }), action: { action: 'vote' } }),
  ).toMatchObject({ component: 'poll', action: 'vote' });
  expect(callSubject(sampleEvent('site_view', { siteId: 's', url: 'https://x.test/' }))).toEqual({
    site: 's',
    subject: 'https://x.test/',
  });
  expect(callSubject(sampleEvent('space_content_updated', { spaceId: 'p' }))).toEqual({ space: 'p' });
  expect(callSubject(undefined)).toEqual({});
});
