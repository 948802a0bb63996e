import { lookup } from 'node:dns';
import { createWebhookFetch } from '../webhooks/node/webhook-fetch.js';
import type { WebhookFetch } from '../webhooks/send/send-request.js';

/**
 * Used by tools on the user's own machine, so it allows all addresses except those of cloud metadata services. The operating
 * system resolves names, because it also knows the names in the local network.
 */
export const webhookFetch: WebhookFetch = createWebhookFetch({ targets: 'any', resolve: lookup });
