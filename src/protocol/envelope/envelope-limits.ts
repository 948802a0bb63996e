const mebibyte = 1024 * 1024;

/** The most bytes of each field. */
export const envelopeLimits = { event: mebibyte, environment: mebibyte, 'fetch-body': 100 * mebibyte };

/** All fields at their limits, and what parts them. */
export const largestEnvelope = 103 * mebibyte;
