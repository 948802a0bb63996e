import { Type, type Static, type TObject, type TSchema } from 'typebox';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The method and the path under `/console/api`. Parameters are written as `{id}`. */
type RouteName = `${Method} /${string}`;

/**
 * The definition of a route of the console's API. The server, both clients and the OpenAPI document are derived from this
 * definition.
 */
export interface Route {
  summary: string;
  /** The parameters of the path, and the fields of the query (GET, DELETE) or of the JSON body. By default, there are none. */
  input: TObject;
  /** By default, the response has no body. */
  output: TSchema;
  /** The codes of the route's errors, in addition to `invalid` for invalid input. */
  errors: readonly string[];
  /** Whether the response intentionally contains a secret that is not masked. */
  reveals?: true;
  /** The maximum size of a JSON body in MiB (default: 1). */
  maxBodyMiB?: number;
}

const defaults = { input: Type.Object({}), output: Type.Void(), errors: [] };
type Defaults = typeof defaults;

/** Fills in the parts that a route does not have. */
export const defineRoutes = <
  const Routes extends Record<RouteName, Omit<Route, keyof Defaults> & Partial<Route>>,
>(
  routes: Routes,
) =>
  Object.fromEntries(
    Object.entries(routes).map(([name, route]) => [name, { ...defaults, ...route }]),
  ) as unknown as { [Name in keyof Routes]: Routes[Name] & Omit<Defaults, keyof Routes[Name]> };

export const bytes = Type.Unsafe<Uint8Array>({ contentMediaType: 'application/octet-stream' });

/** Server-sent events whose data is JSON. */
export const streamOf = (message: TSchema) =>
  Type.Unsafe<ReadableStream<Uint8Array>>({ contentMediaType: 'text/event-stream', contentSchema: message });

export const text = Type.String();
/** A required string that must not be empty. */
export const name = Type.String({ minLength: 1 });
export const values = Type.Record(Type.String(), Type.Unknown());
export const count = Type.Integer({ minimum: 0 });

export const isTrue = Type.Unsafe<true>(Type.Boolean());

export const described = <Schema extends TSchema>(schema: Schema, description: string): Schema => ({
  ...schema,
  description,
});

export const optional = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Optional(description === undefined ? schema : described(schema, description));

/** A choice between several strings. */
export const oneOf = <const Words extends readonly string[]>(...words: Words) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words] });

type KeyOf<T> = T extends unknown ? keyof T : never;
/** `unknown` if all values of a type match a schema, and the type has all fields of the schema. */
type Matching<T, Shown> = [T] extends [Shown] ? ([KeyOf<Shown>] extends [KeyOf<T>] ? unknown : never) : never;

/** A schema for a type in `protocol` that authors also use. The schema describes only what clients can rely on. */
export const typed =
  <T>() =>
  <Schema extends TSchema>(schema: Schema & Matching<NonNullable<T>, Static<Schema>>) =>
    Type.Unsafe<T>('properties' in schema ? { ...schema, additionalProperties: true } : schema);

export type { Static };

/** Returns where each field of a route's input is sent: in the path, the query or the body. */
export function fieldsOf(
  route: string,
  { input }: Route,
): { path: string[]; query: string[]; body: string[] } {
  const path = [...route.matchAll(/[{](\w+)[}]/g)].map(([, field = '']) => field);
  const others = Object.keys(input.properties).filter((field) => !path.includes(field));
  return /^(GET|DELETE) /.test(route) ? { path, query: others, body: [] } : { path, query: [], body: others };
}
