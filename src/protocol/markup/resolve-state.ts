import { ownProperty } from '../../base/own-property.js';

type State = Readonly<Record<string, unknown>>;

/** Replaces `{ $state: key }` with the value of this key in the state. */
export function resolveState(value: unknown, state: State): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveState(item, state));
  if (typeof value !== 'object' || value === null) return value;
  const { $state, ...rest } = value as State;
  if (typeof $state === 'string' && Object.keys(rest).length === 0) return ownProperty(state, $state);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveState(item, state)]));
}
