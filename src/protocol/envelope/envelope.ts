export { decodeEnvelope, type Envelope } from './decode-envelope.js';
export { encodeEnvelope, type EncodedEnvelope } from './encode-envelope.js';
