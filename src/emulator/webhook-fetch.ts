import { lookup } from 'node:dns';
import { createWebhookFetch } from '../webhooks/node/webhook-fetch.js';
import type { WebhookFetch } from '../webhooks/send/send-request.js';

/**
 * Allows all addresses except cloud metadata services, because the platform runs on the user's own machine. The operating
 * system resolves host names, because it also knows names on the local network.
 */
export const webhookFetch: WebhookFetch = createWebhookFetch({ targets: 'any', resolve: lookup });
