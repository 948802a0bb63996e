import { visible } from '../../base/escape-control-characters.js';

/** Replaces control and bidirectional characters with visible symbols. Keeps line breaks and tabs. */
export const showControls = (text: string): string => text.replaceAll(/[^\n\t]+/g, visible);
