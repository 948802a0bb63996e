import { visible } from '../../base/escape-control-characters.js';

/** Raw text with its control and bidirectional characters as visible signs. Line breaks and tabs stay. */
export const showControls = (text: string): string => text.replaceAll(/[^\n\t]+/g, visible);
