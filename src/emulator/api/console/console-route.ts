/** A JSON Schema, as far as the OpenAPI document needs one. */
export type Schema = Readonly<Record<string, unknown>>;

export interface RouteInput {
  /** A part of the path. */
  part(name: string): string;
  query(name: string): string | undefined;
  /** The body, checked to be an object. */
  body(): Promise<Record<string, unknown>>;
  request: Request;
}

/** One address of the console's API: what answers there, and what the OpenAPI document says of it. */
export interface ConsoleRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/console/api`; parts are written `{id}`. */
  path: string;
  summary: string;
  /** Names of query parameters and what they mean. */
  parameters?: Readonly<Record<string, string>>;
  body?: Schema;
  answer: string;
  /** It shows a secret on purpose. */
  reveals?: true;
  /** A value becomes the JSON body; nothing becomes 204. */
  run(input: RouteInput): unknown;
}

export const defineRoute = (route: ConsoleRoute): ConsoleRoute => route;

export const text: Schema = { type: 'string' };
export const texts: Schema = { type: 'array', items: text };
export const anything: Schema = { type: 'object' };

/** `required` names the properties that have to be there. */
export const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});

/** Where in an installation something is. */
export const placeProperties: Record<string, Schema> = { installation: text, site: text, space: text };
