export { decodeEnvelope, readEnvelope, type Envelope } from './decode-envelope.js';
export { encodeEnvelope, type EncodedEnvelope } from './encode-envelope.js';
export { EnvelopeError } from './envelope-error.js';
