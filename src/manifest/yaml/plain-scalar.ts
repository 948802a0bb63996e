const ambiguousNumber =
  /^(?:[-+]?\d+|0o[0-7]+|0x[\dA-Fa-f]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const simpleNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/;

/** Returns the value of an unquoted scalar according to YAML 1.2, or undefined if the library should decide. */
export function resolvePlain(text: string): string | number | boolean | null | undefined {
  const first = text.charCodeAt(0);
  if (first <= 57) {
    if (simpleNumber.test(text)) return Number(text);
    return ambiguousNumber.test(text) ? undefined : text;
  }
  if (text.length > 5) return text;
  switch (text) {
    case 'true':
    case 'True':
    case 'TRUE':
      return true;
    case 'false':
    case 'False':
    case 'FALSE':
      return false;
    case 'null':
    case 'Null':
    case 'NULL':
    case '~':
      return null;
    default:
      return text;
  }
}
