import type { Context } from 'hono';
import { valueAt } from '../../../base/value-at-path.js';
import type { InputError, ServedRoute } from '../../../contract/generated/body-routes.js';
import { invalid, type HttpError } from '../../http/http-error.js';
import { readJson } from '../../http/read-json.js';

/** Reads the input of a route: from the path, and from the query or the JSON body. */
export async function readInput(
  { validate, takesBody, maxBodyMiB }: ServedRoute,
  { req }: Context,
): Promise<object> {
  const fields = takesBody ? await readJson(req.raw, maxBodyMiB) : req.query();
  const input = { ...fields, ...req.param() };
  if (!validate(input)) throw wrongInput(input, validate.errors?.[0]);
  return input;
}

const kinds: Record<string, string> = {
  string: 'a string',
  array: 'a list of strings',
  object: 'an object',
  boolean: 'true or false',
  integer: 'a number',
};

/** Names the invalid field. For an invalid item of a list, names the list. */
function wrongInput(input: object, error: InputError | undefined): HttpError {
  const { instancePath = '', keyword, params = {} } = error ?? {};
  const { missingProperty = [], type = 'integer', allowedValues } = params;
  const names = instancePath.split('/').slice(1).concat(missingProperty);
  const isItem = /^\d+$/.test(names.at(-1) ?? '');
  const path = (isItem ? names.slice(0, -1) : names).join('.');
  switch (keyword) {
    case 'required':
    case 'minLength':
      return invalid(`${path} is missing.`, { path });
    case 'enum':
      return invalid(`There is no ${path} ${String(valueAt(input, names))}.`, { path, known: allowedValues });
    default:
      return invalid(`${path} must be ${kinds[isItem ? 'array' : type]}.`, { path });
  }
}
