const plain = /^[A-Za-z](?:[A-Za-z0-9 ,.()'/_-]*[A-Za-z0-9.)])?$/;
const path = /^\.{0,2}\/[A-Za-z0-9/_.-]*$/;
const expression = /^\$\{\{ env\.\w+ \}\}$/;
const reserved = /^(true|false|null|yes|no|on|off|y|n)$/i;
const scope = /^[a-z]+(:[a-z]+)+$/;

/** Formats a string as a YAML value, with quotes only if they are needed. */
export const yamlText = (text: string): string =>
  [plain, path, expression, scope].some((shape) => shape.test(text)) && !reserved.test(text)
    ? text
    : JSON.stringify(text);

export const yamlList = (items: readonly string[]): string =>
  items.length === 0 ? ' []' : items.map((item) => `\n  - ${yamlText(item)}`).join('');
