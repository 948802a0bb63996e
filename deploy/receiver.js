// Prints every event that it receives once, however often the event is sent.
import { createServer } from 'node:http';
import { createWebhookReceiver } from 'integration-platform/webhooks';

const receiver = createWebhookReceiver({
  secret: process.env.WEBHOOK_SECRET,
  onEvent: (event) => console.log(event.type, event.eventId),
});
createServer(receiver.node).listen(process.env.PORT ?? 3000);
process.on('SIGTERM', () => process.exit());
