import { filterList } from '../../contract/basics/call-filters.js';
import { parseWholeNumber, type OptionSpec } from '../context/command.js';

export const filterOptions = filterList.map(([name, { kind, value, description, choices }]): OptionSpec => ({
  flags: value === undefined ? `--${name}` : `--${name} <${value}>`,
  description,
  ...(choices && { choices }),
  ...(kind === 'milliseconds' && { parse: parseWholeNumber }),
}));
