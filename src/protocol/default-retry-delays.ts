/** The delays before the second, third and fourth attempts of a delivery, without jitter. */
export const defaultRetryDelaysMs: readonly number[] = [1000, 2000, 4000];

const seconds = defaultRetryDelaysMs.map((delay) => delay / 1000);

/** The default delays as part of a sentence, such as "1, 2 and 4 seconds". */
export const retryDelaysInWords = `${seconds.slice(0, -1).join(', ')} and ${seconds.at(-1)} seconds`;

/** The default delays as a value of `--retry`. */
export const retryDelaysAsOption = seconds.map((delay) => `${delay}s`).join(',');
