/** This file lies two levels below the root of the package, in `src` as in `dist`: it must stay that deep. */
export const packageFolder = new URL('../../', import.meta.url);
export const docsFolder = new URL('docs/', packageFolder);
export const schemasFolder = new URL('schemas/', packageFolder);
