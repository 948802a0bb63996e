import { render } from 'preact';
import { App } from './app.js';
import { followLive } from './live/live-stream.js';
import { loadPreferences } from './live/preferences.js';
import { sessionKey, takeKey } from './api/session-key.js';
import { followCalls } from './live/call-list.js';
import { LinkPage } from './shell/link-page.js';
import { loadParts } from './shell/load-later.js';
import { listenForShortcuts } from './shell/shortcuts.js';
import { applyTheme, takeTheme } from './shell/theme.js';

takeKey();
applyTheme();
// If a tab already shows this console, opening a link there does not reload the page, because only the URL fragment changes.
addEventListener('hashchange', () => takeKey() && location.reload());

function start(): void {
  const root = document.getElementById('app');
  if (!root) return;
  if (sessionKey() === null) {
    render(<LinkPage reason="no-key" />, root);
    return;
  }
  listenForShortcuts();
  void loadPreferences().then(takeTheme);
  render(<App />, root);
  followCalls();
  void followLive();
  // The first view does not wait for the parts. If loading fails, the view that needs a part reports it.
  loadParts().catch(() => {});
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
else start();
