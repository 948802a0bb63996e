/** Opens `callback_url`, which usually starts OAuth, in a new window. */
export function openConnection(address: string): void {
  // Without an opener, the page in the window cannot reach this page, and does not inherit its key.
  window.open(address, '_blank', 'noopener,popup,width=520,height=680');
}
