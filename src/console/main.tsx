import { render } from 'preact';
import { App } from './app.js';
import { followLive } from './live/live-stream.js';
import { takeToken } from './live/request.js';
import { followTraffic } from './live/traffic.js';
import { takeDrafts } from './parts/draft.js';
import { listenForShortcuts } from './shell/shortcuts.js';
import { applyTheme } from './shell/theme.js';

applyTheme();
listenForShortcuts();

function start(): void {
  const root = document.getElementById('app');
  if (!root) return;
  takeToken();
  takeDrafts();
  render(<App />, root);
  followTraffic();
  void followLive();
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
else start();
