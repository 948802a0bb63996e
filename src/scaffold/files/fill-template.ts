/** Replaces each `{{name}}` with its value. A name without a value is a bug in the template. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`A template contains {{${name}}}, which has no value.`);
    return value;
  });
}
