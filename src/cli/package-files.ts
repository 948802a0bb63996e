/** Two levels below the root of the package, here and in `dist`. */
export const packageFolder = new URL('../../', import.meta.url);
export const docsFolder = new URL('../../docs/', import.meta.url);
export const schemasFolder = new URL('../../schemas/', import.meta.url);
