import { isRecord } from '../../base/value-at-path.js';
import type { UIAction } from '../../protocol/events.js';
import type { Markup } from '../../runtime/jsx/markup-node.js';
import { elementsIn } from './markup-search.js';

/** Returns the ids from an options URL for the typed text. */
export type FindOptions = (url: string, typed: string) => Promise<string[]>;

/** Checks that a user could enter the value. If the change sends an action, returns it. */
export async function changeActionOf(
  root: unknown,
  { state, value, find }: { state: string; value: unknown; find: FindOptions },
): Promise<UIAction | undefined> {
  const inputs = [...elementsIn(root)].filter((element) => typeof element.state === 'string');
  const same = inputs.filter((element) => element.state === state);
  const [first] = same;
  if (!first) {
    const known = inputs.map((element) => `"${String(element.state)}"`);
    throw new Error(
      `No input is bound to the state "${state}". ${known.length > 0 ? `The inputs are bound to ${known.join(', ')}.` : 'The block has no inputs.'}`,
    );
  }
  // Radio buttons share a state key, and each one writes its own value.
  const found = same.find((element) => ownValue(element) === value) ?? first;
  if (found.disabled === true) throw new Error(`The input bound to "${state}" is disabled.`);
  const wanted = wantedBy(found, same, value) ?? (await wantedByUrl(found, value, find));
  if (wanted !== undefined) {
    throw new Error(
      `${JSON.stringify(value)} cannot be entered in the ${found.type} bound to "${state}", which accepts ${wanted}.`,
    );
  }
  return (found.onValueChange ?? found.onContentChange) as UIAction | undefined;
}

const ownValue = ({ value }: Markup): unknown =>
  value === undefined || typeof value === 'boolean' ? undefined : value;

/** Returns the values that the input accepts, if the given one is not among them. */
function wantedBy(element: Markup, same: Markup[], value: unknown): string | undefined {
  switch (element.type) {
    case 'textinput':
    case 'codeblock':
      return typeof value === 'string' ? undefined : 'a text';
    case 'switch':
    case 'checkbox':
    case 'radio':
      return wantedByToggles(same, value);
    case 'select':
      return wantedBySelect(element, value);
    default:
      return undefined;
  }
}

/**
 * A toggle writes true or false. A toggle that declares its own value writes that value instead, in a list if several
 * toggles share the key.
 */
function wantedByToggles(same: Markup[], value: unknown): string | undefined {
  const own = same.map(ownValue).filter((one) => one !== undefined);
  if (own.length === 0) return typeof value === 'boolean' ? undefined : 'true or false';
  const given = Array.isArray(value) ? value : [value];
  const fits = given.every((one) => one === null || own.includes(one));
  return fits ? undefined : own.map((one) => JSON.stringify(one)).join(', ');
}

function wantedBySelect({ options, multiple, acceptInput }: Markup, value: unknown): string | undefined {
  const texts = (list: unknown): boolean =>
    Array.isArray(list) && list.every((one) => typeof one === 'string');
  if (multiple === true && !texts(value)) return 'a list of ids';
  if (multiple !== true && typeof value !== 'string' && value !== null) return 'the id of an option';
  // Options at a URL are requested from the script afterwards.
  if (acceptInput === true || !Array.isArray(options)) return undefined;
  const ids = options.map((option: { id: unknown }) => option.id);
  const given = Array.isArray(value) ? value : [value];
  return given.every((one) => one === null || ids.includes(one)) ? undefined : listOf(ids);
}

const listOf = (ids: readonly unknown[]): string =>
  ids.length > 0 ? ids.map((id) => JSON.stringify(id)).join(', ') : 'nothing, because it has no options';

/** Acts like a user: checks the list of options first, and then types the value. */
async function wantedByUrl(
  { type, options, acceptInput }: Markup,
  value: unknown,
  find: FindOptions,
): Promise<string | undefined> {
  const url = type === 'select' && acceptInput !== true && isRecord(options) ? options['url'] : undefined;
  if (typeof url !== 'string') return undefined;
  const shown = await find(url, '');
  for (const id of Array.isArray(value) ? value : [value]) {
    if (id === null || shown.includes(id)) continue;
    const typed = await find(url, id);
    // A list that is empty until the user types may find the option only by its label.
    if (!typed.includes(id) && shown.length + typed.length > 0)
      return listOf(shown.length > 0 ? shown : typed);
  }
  return undefined;
}
