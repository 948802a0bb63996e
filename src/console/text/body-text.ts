import type { BodyResource } from '../live/resources.js';

/** What can be read of a body; bytes are only counted. */
export const bodyText = ({ encoding, content }: BodyResource): string =>
  encoding === 'utf-8' ? content : `${Math.floor((content.length * 3) / 4)} bytes that are no text`;
