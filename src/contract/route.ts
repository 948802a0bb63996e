import { Type, type Static, type TObject, type TSchema } from 'typebox';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Method and path below `/console/api`; a part of the path is written `{id}`. */
type RouteName = `${Method} /${string}`;

/** One route of the console's API. Both clients, the server and the OpenAPI document derive from it. */
export interface Route {
  summary: string;
  /** Parts of the path, and beside them the query (GET, DELETE) or the fields of the JSON body. */
  input: TObject;
  /** `nothing` is a response without a body. */
  output: TSchema;
  /** Codes of its errors, next to `invalid`: its input does not fit. */
  errors: readonly string[];
  /** The response contains a secret on purpose, so it is not masked. */
  reveals?: true;
  /** The largest JSON body of a request. Default: 1. */
  maxBodyMiB?: number;
}

export const defineRoutes = <const Routes extends Record<RouteName, Route>>(routes: Routes): Routes => routes;

export const nothing = Type.Void();

export const bytes = Type.Unsafe<Uint8Array>({ contentMediaType: 'application/octet-stream' });

/** Server-sent events whose data is JSON. */
export const streamOf = (message: TSchema) =>
  Type.Unsafe<ReadableStream<Uint8Array>>({ contentMediaType: 'text/event-stream', contentSchema: message });

export const noInput = Type.Object({});
export const text = Type.String();
/** Text that is required and may not be empty. */
export const name = Type.String({ minLength: 1 });
export const values = Type.Record(Type.String(), Type.Unknown());
export const count = Type.Integer({ minimum: 0 });

/** One of these words. */
export const oneOf = <const Words extends readonly string[]>(...words: Words) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words] });

/** A type of `protocol` that authors see as well; the schema states what a reader may rely on. */
export const typed = <T>(schema: TSchema) =>
  Type.Unsafe<T>('properties' in schema ? { ...schema, additionalProperties: true } : schema);

export type { Static };

/** Where the fields of a route's input are sent. */
export function fieldsOf(
  route: string,
  { input }: Route,
): { path: string[]; query: string[]; body: string[] } {
  const path = [...route.matchAll(/[{](\w+)[}]/g)].map(([, field = '']) => field);
  const others = Object.keys(input.properties).filter((field) => !path.includes(field));
  return /^(GET|DELETE) /.test(route) ? { path, query: others, body: [] } : { path, query: [], body: others };
}
