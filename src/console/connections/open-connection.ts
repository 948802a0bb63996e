/** Opens what the integration does at `callback_url`, most often OAuth, in a window of its own. */
export function openConnection(address: string): void {
  // Without an opener, what the window shows cannot reach this page, and does not inherit its key.
  window.open(address, '_blank', 'noopener,popup,width=520,height=680');
}
