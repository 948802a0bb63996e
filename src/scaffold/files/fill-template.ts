/** Puts values where `{{name}}` stands. A name without a value is a mistake in the template. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`A template speaks of {{${name}}}, which has no value.`);
    return value;
  });
}
