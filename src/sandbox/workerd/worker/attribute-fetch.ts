import { currentScope } from '../../observe/call-scope.js';
import type { OutboundHead } from '../worker-order.js';

/** Adds the id of the call to each outbound request, and to its redirects. */
export function attributeFetch(key: string): void {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const call = currentScope()?.id;
    const cf: OutboundHead = { key, ...(call !== undefined && { call }) };
    return fetch(input, { ...init, cf } as RequestInit);
  };
}
