import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import type { UIAction } from '../../../protocol/events.js';
import type { ControlIds } from '../../ui/form/control-ids.js';
import { readText, type Values } from './read-markup.js';
import { ownProperty } from '../../../base/own-property.js';

export interface Option {
  id: string;
  label: string;
  icon?: string;
  url?: string;
}

/** The context shared by all elements of a component. */
export interface MarkupContext {
  state: Values;
  base: string;
  set: (key: string, value: unknown) => void;
  /** Resolves when the script has responded. */
  send: (action: UIAction) => Promise<void>;
  /** Loads options from one of the integration's endpoints. */
  options: (url: string, typed: string) => Promise<Option[]>;
  draw: (children: unknown) => ComponentChildren;
}

const context = createContext<MarkupContext | undefined>(undefined);

export const MarkupProvider = context.Provider;

export function useMarkup(): MarkupContext {
  const markup = useContext(context);
  if (!markup) throw new Error('An element was rendered outside a component.');
  return markup;
}

/** The ids that an `input` provides for the control inside it. */
const labelled = createContext<ControlIds | undefined>(undefined);

export const LabelledProvider = labelled.Provider;

/** A control that is not inside an `input` uses its own text as its label. */
export function useLabel(...names: (string | undefined)[]): ControlIds {
  const name = names.find((one) => one !== undefined && one !== '');
  return useContext(labelled) ?? (name === undefined ? {} : { 'aria-label': name });
}

/** Returns the state value that an input is bound to, and a function that sets it. */
export function useBound(element: Values): [value: unknown, set: (value: unknown) => void] {
  const { state, set } = useMarkup();
  const key = readText(element.state);
  const value = key === undefined ? undefined : ownProperty(state, key);
  const first = element.initialValue;
  useEffect(() => {
    if (key !== undefined && value === undefined && first !== undefined && first !== null) set(key, first);
  }, [key]);
  return [value ?? first, (next) => key !== undefined && set(key, next)];
}
