import { isStoreError } from '../../base/store-error.js';
import { apiErrorResponse, errorResponse, isHttpError } from './http-error.js';

/** Returns the response to a request whose route threw an error. If the error is a bug, calls `report`. */
export function failureResponse(error: unknown, url: string, report: (error: unknown) => void): Response {
  if (isHttpError(error)) return errorResponse(error.status, error.message);
  report(error);
  if (isStoreError(error)) {
    const { message, code, hint } = error;
    return isApi(url)
      ? apiErrorResponse(507, message)
      : Response.json({ error: message, code, hint }, { status: 507 });
  }
  const message = 'The local platform failed because of a bug.';
  return isApi(url) ? apiErrorResponse(500, message) : errorResponse(500, message);
}

const forbidden = ({ url }: Request, message: string): Response =>
  isApi(url) ? apiErrorResponse(403, message) : errorResponse(403, message);

export const fromForeignPage = (request: Request): Response =>
  forbidden(request, 'Pages from other origins cannot call the local platform.');

export const wrongHost = (request: Request): Response =>
  forbidden(request, 'The local platform does not serve this host or address.');

export const unknownPage = (): Response => errorResponse(404, 'Nothing is served at this URL.');

const isApi = (url: string): boolean => /^\w+:[/][/][^/]+[/]api([/?]|$)/.test(url);
