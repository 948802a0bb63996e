import { readText } from '../http/read-json.js';
import type { Grants, Redeemed } from './grants.js';

/** Handles `POST /oauth/token`. */
export async function respondToTokenRequest(request: Request, grants: Grants): Promise<Response> {
  const fields = await readFields(request);
  const client = readClient(request, fields);
  if (!client.id || !client.secret) {
    return refuse(401, 'invalid_client', 'client_id and client_secret are required.');
  }
  switch (fields.get('grant_type')) {
    case 'authorization_code':
      return respond(
        grants.redeemCode({
          code: fields.get('code') ?? '',
          clientId: client.id,
          redirectUri: fields.get('redirect_uri') ?? undefined,
          verifier: fields.get('code_verifier') ?? undefined,
        }),
      );
    case 'refresh_token':
      return respond(grants.redeemRefresh(fields.get('refresh_token') ?? '', client.id));
    default:
      return refuse(
        400,
        'unsupported_grant_type',
        'The grant_type must be authorization_code or refresh_token.',
      );
  }
}

async function readFields(request: Request): Promise<URLSearchParams> {
  const text = await readText(request);
  try {
    const value: unknown = JSON.parse(text);
    return new URLSearchParams(value as Record<string, string>);
  } catch {
    return new URLSearchParams(text);
  }
}

function readClient(
  request: Request,
  fields: URLSearchParams,
): { id: string | undefined; secret: string | undefined } {
  const [, basic] = /^Basic +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (basic === undefined) {
    return { id: fields.get('client_id') ?? undefined, secret: fields.get('client_secret') ?? undefined };
  }
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':', 2);
  return { id, secret };
}

const respond = (redeemed: Redeemed): Response =>
  typeof redeemed === 'string'
    ? refuse(400, 'invalid_grant', redeemed)
    : Response.json(redeemed, { headers: noStore });

const refuse = (status: number, error: string, message: string): Response =>
  Response.json({ error, error_description: message }, { status, headers: noStore });

const noStore = { 'Cache-Control': 'no-store' };
