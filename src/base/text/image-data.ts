/** Images that a URL itself contains. Browsers do not run the scripts of an SVG that is an image. */
export const imageData = /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i;
