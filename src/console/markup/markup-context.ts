import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import type { UIAction } from '../../protocol/events.js';
import type { ControlIds } from '../ui/form/control-ids.js';
import { readText, type Values } from './read-markup.js';
import { ownProperty } from '../../base/own-property.js';

/** An entry of a drop-down, wherever it comes from. */
export interface Option {
  id: string;
  label: string;
  icon?: string;
  url?: string;
}

/** What the elements of one component have around them. */
export interface MarkupContext {
  state: Values;
  busy: boolean;
  /** Relative addresses start here. */
  base: string;
  set: (key: string, value: unknown) => void;
  send: (action: UIAction) => void;
  /** Options that an endpoint of the integration supplies. */
  options: (url: string, typed: string) => Promise<Option[]>;
  draw: (children: unknown) => ComponentChildren;
}

const context = createContext<MarkupContext | undefined>(undefined);

export const MarkupProvider = context.Provider;

export function useMarkup(): MarkupContext {
  const markup = useContext(context);
  if (!markup) throw new Error('An element was drawn outside of a component.');
  return markup;
}

/** What an `input` says of the control inside it. */
const labelled = createContext<ControlIds | undefined>(undefined);

export const LabelledProvider = labelled.Provider;

/** A control without an `input` around it is called after its own words. */
export function useLabel(...names: (string | undefined)[]): ControlIds {
  const name = names.find((one) => one !== undefined && one !== '');
  return useContext(labelled) ?? (name === undefined ? {} : { 'aria-label': name });
}

/** The value in the state that an input is bound to, and how to change it. */
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
