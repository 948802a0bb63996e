import { preference, remember } from '../live/preferences.js';
import { createCell } from '../ui/state/observable-cell.js';

export type Theme = 'system' | 'light' | 'dark';

/** The platform stores the theme. The tab stores it too, so that the first frame after a reload has the correct theme. */
const key = 'theme';
const themes: readonly Theme[] = ['system', 'light', 'dark'];
const themeOf = (stored: unknown): Theme => themes.find((one) => one === stored) ?? 'system';

export const theme = createCell<Theme>(themeOf(sessionStorage.getItem(key)));

export function applyTheme(): void {
  const value = theme.get();
  if (value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
}

export function takeTheme(): void {
  setTheme(themeOf(preference(key)));
}

export function nextTheme(): void {
  const next = themes[(themes.indexOf(theme.get()) + 1) % themes.length] ?? 'system';
  setTheme(next);
  remember(key, next);
}

function setTheme(next: Theme): void {
  theme.set(next);
  sessionStorage.setItem(key, next);
  applyTheme();
}

export const isDark = (): boolean =>
  theme.get() === 'dark' || (theme.get() === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
