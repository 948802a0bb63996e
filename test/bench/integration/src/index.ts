import { createIntegration } from 'integration-platform';

const revision = 'r0';

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export default createIntegration({
  fetch: async (request) => {
    const body = await request.arrayBuffer();
    if (body.byteLength === 0) return Response.json({ revision });
    if (new URL(request.url).pathname.endsWith('/echo')) return new Response(body);
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
    return Response.json({ revision, bytes: body.byteLength, sha256: hex(hash) });
  },
});
