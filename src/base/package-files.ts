/** This file must stay two levels below the package root, both in `src` and in `dist`. */
export const packageFolder = new URL('../../', import.meta.url);
export const docsFolder = new URL('docs/', packageFolder);
export const schemasFolder = new URL('schemas/', packageFolder);
