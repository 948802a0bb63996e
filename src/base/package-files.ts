/** This file has to stay two levels below the root of the package, both in `src` and in `dist`. */
export const packageFolder = new URL('../../', import.meta.url);
export const docsFolder = new URL('docs/', packageFolder);
export const schemasFolder = new URL('schemas/', packageFolder);
