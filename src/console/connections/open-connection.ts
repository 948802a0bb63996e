/** Opens `callback_url` in a new window, which usually starts OAuth. */
export function openConnection(address: string): void {
  // Opens the window without an opener, so that its page cannot access this page or inherit the key.
  window.open(address, '_blank', 'noopener,popup,width=520,height=680');
}
