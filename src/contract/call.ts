import type { Input, Output, RouteName } from './console-api.js';
import type { MovedClock } from './routes/state.js';

/** Calls a route of the console's API: `call('GET /calls/{call}', { call: id })`. */
export type Call = <Name extends RouteName>(
  route: Name,
  ...[input]: object extends Input<Name> ? [input?: Given<Input<Name>>] : [input: Given<Input<Name>>]
) => Promise<Output<Name>>;

/** The fields of a route's input, in which an optional field may also be undefined. */
type Given<Fields> = {
  [Field in keyof Fields]: object extends Pick<Fields, Field> ? Fields[Field] | undefined : Fields[Field];
};

interface RouteRequest {
  method: string;
  /** The path under `/console/api`, including the query. */
  path: string;
  body?: string;
}

/** Creates the client that the console and the command use. The route's name determines how the input is sent. */
export const createCall =
  (send: (request: RouteRequest) => Promise<unknown>): Call =>
  (route, ...[input]) =>
    send(requestOf(route, { ...input })) as Promise<never>;

function requestOf(route: RouteName, fields: Record<string, unknown>): RouteRequest {
  const [method = '', template = ''] = route.split(' ');
  const path = template.replaceAll(/[{](\w+)[}]/g, (_, field: string) => {
    const value = String(fields[field]);
    delete fields[field];
    // In a URL, these segments would point to another route, even if they are encoded once.
    return encodeURIComponent(value === '.' || value === '..' ? encodeDots(value) : value);
  });
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (given.length === 0) return { method, path };
  if (method !== 'GET' && method !== 'DELETE')
    return { method, path, body: JSON.stringify(Object.fromEntries(given)) };
  const query = new URLSearchParams(given.map(([field, value]) => [field, String(value)]));
  return { method, path: `${path}?${query.toString()}` };
}

const encodeDots = (segment: string): string => segment.replaceAll('.', '%2E');

export async function readOutput(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  return response.headers.get('content-type')?.startsWith('application/json')
    ? response.json()
    : new Uint8Array(await response.arrayBuffer());
}

/** Lets the platform's time pass until `to`, with everything that is due by then. `onPassed` receives each part of what happened. */
export async function passTime(
  call: Call,
  to: number,
  { untilIdle = false, onPassed }: { untilIdle?: boolean; onPassed?(moved: MovedClock): void } = {},
): Promise<MovedClock> {
  const happened: MovedClock['happened'] = [];
  for (;;) {
    const moved = await call('POST /clock', { to: Math.ceil(to), untilIdle });
    happened.push(...moved.happened);
    onPassed?.(moved);
    if (moved.done || moved.stopped) return { ...moved, happened };
  }
}
