/** Replaces ids and numbers, which can differ between messages with the same cause. */
export const withoutIds = (text: string): string => text.replace(/[\w-]*\d[\w-]*/g, '#');
