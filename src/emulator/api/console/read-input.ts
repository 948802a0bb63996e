import type { Context } from 'hono';
import { valueAt } from '../../../base/value-at-path.js';
import type { InputError, ServedRoute } from '../../../contract/generated/body-routes.js';
import { invalid, type HttpError } from '../../http/http-error.js';
import { readJson } from '../../http/read-json.js';

/** The input of a route: the parts of the path, and the query or the fields of the body. */
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

/** Says which field is wrong. An item of a list is reported as the list. */
function wrongInput(input: object, error: InputError | undefined): HttpError {
  const { instancePath = '', keyword, params = {} } = error ?? {};
  const { missingProperty = [], type = 'integer', allowedValues } = params;
  const names = instancePath.split('/').slice(1).concat(missingProperty);
  const isItem = /^\d+$/.test(names.at(-1) ?? '');
  const path = (isItem ? names.slice(0, -1) : names).join('.');
  switch (keyword) {
    case 'required':
    case 'minLength':
      return invalid(`${path} is needed.`, { path });
    case 'enum':
      return invalid(`There is no ${path} ${String(valueAt(input, names))}.`, { path, known: allowedValues });
    default:
      return invalid(`${path} has to be ${kinds[isItem ? 'array' : type]}.`, { path });
  }
}
