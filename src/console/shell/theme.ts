import { createCell } from '../parts/cell.js';

export type Theme = 'system' | 'light' | 'dark';

const key = 'platform-console-theme';
const themes: readonly Theme[] = ['system', 'light', 'dark'];

const stored = themes.find((one) => one === localStorage.getItem(key));

export const theme = createCell<Theme>(stored ?? 'system');

export function applyTheme(): void {
  const value = theme.get();
  if (value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
}

export function nextTheme(): void {
  const next = themes[(themes.indexOf(theme.get()) + 1) % themes.length] ?? 'system';
  localStorage.setItem(key, next);
  theme.set(next);
  applyTheme();
}

export const isDark = (): boolean =>
  theme.get() === 'dark' || (theme.get() === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
