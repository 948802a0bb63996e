import { createIntegration } from 'integration-platform';
import { notifyOfUpdate } from './notify-of-update';
import { logView } from './log-view';

export default createIntegration({
  events: {
    space_content_updated: notifyOfUpdate,
    space_view: logView,
  },
});
