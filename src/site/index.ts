export { drawPreview } from './server/draw-preview.js';
export { openSite } from './server/open-site.js';
