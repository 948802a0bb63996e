import type { PlatformBase } from '../state/platform-base.js';
import type { Input } from '../../contract/console-api.js';
import type { Option } from '../../contract/routes/configuration.js';
import { propertyOf } from '../state/check-configuration.js';
import { HttpError, invalid } from '../http/http-error.js';
import { defaultReadMs, readResponse } from '../http/limit-body.js';
import { requireInstalled } from '../state/require-installation.js';
import { isObject } from '../http/read-json.js';
import { parseJson } from '../../base/parse-json.js';

type OptionsRequest = Input<'GET /options'>;

/** `signal` is aborted when the client disconnects. */
export type ReadOptions = (request: OptionsRequest, signal?: AbortSignal) => Promise<Option[]>;

const largestList = 4 * 1024 * 1024;

/** Requests the options for a field from the integration's public endpoint. */
export function createReadOptions(
  deps: Pick<PlatformBase, 'registry' | 'addresses' | 'timers' | 'limits'> & {
    publicEndpoint: (request: Request) => Promise<Response>;
  },
): ReadOptions {
  const { registry, addresses, publicEndpoint, timers } = deps;
  const read = { bytes: largestList, ms: deps.limits.timeMs ?? defaultReadMs, timers };

  const addressOf = ({ property, url, ...target }: OptionsRequest): URL => {
    const installed = requireInstalled(registry, target);
    const { name } = registry.integration();
    const base = addresses.target(name, installed.target);
    if (url !== undefined) {
      const address = URL.canParse(url, `${base}/`) ? new URL(url, `${base}/`) : undefined;
      if (!address?.href.startsWith(`${addresses.integration(name)}/`)) {
        throw invalid('The URL for the options must belong to the integration itself.', { path: 'url' });
      }
      return address;
    }
    const declared = propertyOf(installed.section, property ?? '');
    if (declared?.type !== 'string' || declared.completion_url === undefined) {
      throw invalid(`The property ${property} has no completion_url.`, { path: 'property' });
    }
    return new URL(`${base}/${declared.completion_url.replace(/^[/]+/, '')}`);
  };

  return async (request, signal) => {
    const address = addressOf(request);
    address.searchParams.set('q', request.q ?? '');
    const response = await publicEndpoint(new Request(address));
    const { bytes, stopped } = await readResponse(response, { ...read, signal });
    const text = new TextDecoder().decode(bytes);
    if (response.status !== 200) {
      const answered = `The request for options failed: the integration responded with ${response.status}`;
      const why = errorTextOf(text);
      throw new HttpError(502, 'no-options', why === undefined ? `${answered}.` : `${answered}: ${why}`);
    }
    // A body that was only partly read is not a valid list.
    if (stopped !== undefined) throw new HttpError(502, 'no-options', stopped);
    const options = parseOptions(text);
    if (!options) {
      const expected = 'a JSON array of strings or of { id, label }';
      throw new HttpError(502, 'no-options', `The integration did not return ${expected}.`);
    }
    return options;
  };
}

/** Returns what a script says about its error, as one short line. */
function errorTextOf(text: string): string | undefined {
  const body = parseJson(text, text);
  const said = isObject(body) ? (body.error ?? body.message) : body;
  const line = typeof said === 'string' ? said.trim().split('\n', 1)[0] : undefined;
  return line && !line.startsWith('<') ? line.slice(0, 200) : undefined;
}

/** Parses an integration's options for a field. Returns undefined if the response has an unexpected format. */
export function parseOptions(text: string): Option[] | undefined {
  try {
    const options = listIn(JSON.parse(text))?.map(readOption);
    return options?.every((option) => option !== undefined) ? withoutDuplicates(options) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the options in a response. `items` may be one page of a longer list, so `selected` contains the options selected
 * on other pages.
 */
function listIn(value: unknown): unknown[] | undefined {
  if (!isObject(value)) return Array.isArray(value) ? value : undefined;
  const { options, items = options, selected } = value;
  return Array.isArray(items) ? [...(Array.isArray(selected) ? selected : []), ...items] : undefined;
}

/** Keeps the first option for each id. */
function withoutDuplicates(options: Option[]): Option[] {
  const byId = new Map<string, Option>();
  for (const option of options) if (!byId.has(option.id)) byId.set(option.id, option);
  return [...byId.values()];
}

function readOption(value: unknown): Option | undefined {
  if (typeof value === 'string') return { id: value, label: value };
  if (!isObject(value)) return undefined;
  // Completion lists use `value` where a select uses `id`.
  const { id = value.value, label } = value;
  if (typeof id !== 'string' || typeof label !== 'string') return undefined;
  const icon = readIcon(value.icon);
  return { id, label, ...(icon !== undefined && { icon }) };
}

/** An icon can be a name, a URL or an `image`. */
function readIcon(value: unknown): string | undefined {
  const icon = isObject(value) && isObject(value.source) ? value.source.url : value;
  return typeof icon === 'string' ? icon : undefined;
}
