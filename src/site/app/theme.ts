const dark = matchMedia('(prefers-color-scheme: dark)');
const key = 'theme';
/** After the last one, the theme is the browser's again. */
const themes = ['light', 'dark'];

export const themeNow = (): 'light' | 'dark' =>
  (document.documentElement.dataset['theme'] ?? (dark.matches ? 'dark' : 'light')) as 'light' | 'dark';

/** Applies the theme that the reader has chosen, and lets the reader choose another. */
export function openThemes(changed: () => void): void {
  const button = document.querySelector<HTMLButtonElement>('.theme-button');
  const apply = (): void => {
    const chosen = themes.find((one) => one === localStorage.getItem(key));
    if (chosen === undefined) delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = chosen;
    if (button) button.ariaLabel = button.title = `Theme: ${chosen ?? 'system'}`;
  };
  apply();
  dark.addEventListener('change', changed);
  if (!button) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    const next = themes[themes.indexOf(localStorage.getItem(key) ?? '') + 1];
    localStorage.setItem(key, next ?? 'system');
    apply();
    changed();
  });
}
