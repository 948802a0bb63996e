import { visible } from '../../base/escape-control-characters.js';

/** Text with visible symbols for control and bidirectional characters. Line breaks and tabs are kept. */
export const showControls = (text: string): string => text.replaceAll(/[^\n\t]+/g, visible);
