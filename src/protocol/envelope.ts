export {
  decodeEnvelope,
  EnvelopeError,
  readEnvelope,
  type Envelope,
  type EnvelopeLimits,
} from './decode-envelope.js';
export { encodeEnvelope, type EncodedEnvelope } from './encode-envelope.js';
