/** The runtimes that can run scripts. */
export const runtimeNames = ['node', 'workerd'] as const;

export type RuntimeName = (typeof runtimeNames)[number];
