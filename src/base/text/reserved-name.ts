/** Windows reserves these names, even if an extension follows. */
const reserved = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;

/** Whether a file with this name cannot be created on Windows, or not be checked out there. */
export const isReservedName = (name: string): boolean => reserved.test(name);
