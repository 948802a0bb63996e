import { filterList } from '../../contract/basics/call-filters.js';
import { parseWholeNumber, type OptionSpecs } from '../context/command.js';

export const filterOptions: OptionSpecs = Object.fromEntries(
  filterList.map(([name, { kind, value, description, choices }]) => [
    value === undefined ? `--${name}` : `--${name} <${value}>`,
    { description, ...(choices && { choices }), ...(kind === 'milliseconds' && { parse: parseWholeNumber }) },
  ]),
);
