/** A body as text, or as base64 if it is not UTF-8. */
export interface RequestBody {
  encoding: 'utf-8' | 'base64';
  content: string;
}

export interface RequestToSend {
  method: string;
  /** The path after the endpoint's URL, including the query. */
  path: string;
  headers?: readonly [name: string, value: string][];
  body?: RequestBody;
}

/** A problem in a single field. `path` is `method`, `path`, `headers.0` or `body`. */
export interface FieldProblem {
  path: string;
  message: string;
}

const token = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Returns all problems in a request, so that they can be shown together. */
export function requestProblems({ method, path, headers = [], body }: RequestToSend): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const add = (at: string, message: string): void => void problems.push({ path: at, message });
  if (!token.test(method)) add('method', `"${method}" is not an HTTP method.`);
  else if (/^(TRACE|CONNECT)$/i.test(method)) add('method', `A public endpoint does not accept ${method}.`);
  if (/[#\s\\]/.test(path))
    add('path', 'The path contains a space, # or \\. Write them as %20, %23 and %5C.');
  else if (/(^|[/])(\.|%2e){1,2}([/?]|$)/i.test(path)) add('path', 'The path leads outside the endpoint.');
  headers.forEach(([name, value], index) => {
    if (name === '') add(`headers.${index}`, 'The header needs a name.');
    else if (!token.test(name)) add(`headers.${index}`, `"${name}" is not a valid header name.`);
    else if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
      add(
        `headers.${index}`,
        `The value of ${name} contains a line break or a character outside of Latin-1.`,
      );
  });
  if (body && /^(GET|HEAD)$/i.test(method))
    add('body', `A ${method.toUpperCase()} request cannot have a body.`);
  return problems;
}
