import { useEffect } from 'preact/hooks';
import { useMarkup } from './markup-context.js';
import { own } from '../../base/own-property.js';
import { readText, type Values } from './read-markup.js';

/** The value in the state that an input is bound to, and how to change it. */
export function useBound(element: Values): [value: unknown, set: (value: unknown) => void] {
  const { state, set } = useMarkup();
  const key = readText(element.state);
  const value = key === undefined ? undefined : own(state, key);
  const first = element.initialValue;
  useEffect(() => {
    if (key !== undefined && value === undefined && first !== undefined && first !== null) set(key, first);
  }, [key]);
  return [value ?? first, (next) => key !== undefined && set(key, next)];
}
