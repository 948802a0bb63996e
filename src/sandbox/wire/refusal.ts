/** The platform's own answer in place of the script's. */
export const refusal = (status: number, error: string): Response => Response.json({ error }, { status });
