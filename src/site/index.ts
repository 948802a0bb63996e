export { openSite } from './server/open-site.js';
