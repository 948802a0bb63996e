import { lookup } from 'node:dns';
import { createWebhookFetch } from '../webhooks/node/webhook-fetch.js';
import type { WebhookFetch } from '../webhooks/send/send-request.js';

/**
 * For tools on the user's own machine: any address except the metadata services of clouds. Names are resolved
 * by the operating system, which also knows those of the local network.
 */
export const webhookFetch: WebhookFetch = createWebhookFetch({ targets: 'any', resolve: lookup });
