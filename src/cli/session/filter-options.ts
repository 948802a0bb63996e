import { filterList } from '../../contract/basics/call-filters.js';
import { parseWholeNumber, type OptionSpecs } from '../context/command.js';

/** Each command has an option for the integration. */
const ownOptions = filterList.filter(([name]) => name !== 'integration');

export const filterOptions: OptionSpecs = Object.fromEntries(
  ownOptions.map(([name, { kind, value, description, choices }]) => [
    value === undefined ? `--${name}` : `--${name} <${value}>`,
    { description, ...(choices && { choices }), ...(kind === 'milliseconds' && { parse: parseWholeNumber }) },
  ]),
);
