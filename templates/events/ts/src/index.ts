import { createIntegration } from 'integration-platform';
import type { Context } from '../platform-env';
import { notifyOfUpdate } from './notify-of-update';
import { logView } from './log-view';

export default createIntegration<Context>({
  events: {
    space_content_updated: notifyOfUpdate,
    space_view: logView,
  },
});
