import { createCell } from '../../ui/state/observable-cell.js';

/** How many times other parts of the console have opened the composer. */
export const composerAsked = createCell(0);
