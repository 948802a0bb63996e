/** Opens `callback_url` in a new window, which usually starts OAuth. */
export function openConnection(address: string): void {
  // The window has no opener, so the page in it cannot reach this page and does not inherit its key.
  window.open(address, '_blank', 'noopener,popup,width=520,height=680');
}
