import type { Handlers } from '../../../../contract/console-api.js';
import type { listingRoutes as contract } from '../../../../contract/routes/listing.js';
import type { PlatformOptions } from '../../../emulator.js';
import { notFound } from '../../../http/http-error.js';

export const listingRoutes = (listing: PlatformOptions['listing']): Handlers<keyof typeof contract> => ({
  'GET /listing'() {
    if (!listing) throw notFound('The marketplace checks are not available on this platform.');
    return listing();
  },
});
