import { currentScope, nextRequest } from '../../observe/call-scope.js';
import type { OutboundHead } from '../worker-order.js';

/** Adds the id of the call to each outbound request, and to its redirects. */
export function attributeFetch(key: string): void {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const scope = currentScope();
    const cf: OutboundHead = { key, number: nextRequest(scope), ...(scope && { call: scope.id }) };
    return fetch(input, { ...init, cf } as RequestInit);
  };
}
