import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { WebhookFetch } from '../webhooks/send/send-request.js';

/** Shorter than receivers keep a connection open: what is sent as they close one is lost. */
const idleMs = 1000;

const keeping = { keepAlive: true, timeout: idleMs };

const senders = {
  'http:': { request: requestHttp, agent: new HttpAgent(keeping) },
  'https:': { request: requestHttps, agent: new HttpsAgent(keeping) },
};

/** One request over a connection that is kept for the next: every status as it came, nothing sent twice. */
export const webhookFetch: WebhookFetch = (url, { method, headers, body, signal }) =>
  new Promise((resolve, reject) => {
    const target = new URL(url);
    const { request, agent } = senders[target.protocol as keyof typeof senders];
    const sent = request(target, { method, headers, agent, signal });
    sent.on('error', reject);
    sent.on('response', (answer: IncomingMessage) => {
      const { statusCode: status = 0 } = answer;
      if (status >= 200) resolve({ status, body: answer });
      else sent.destroy(new Error(`status ${status} is no answer`));
    });
    sent.end(body);
  });
