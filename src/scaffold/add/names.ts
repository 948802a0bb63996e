/** `my-block`, `my_block` and `myBlock` are one name in three places. */
export const toFileName = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase();

export const toVariable = (name: string): string =>
  toFileName(name).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

export const toTypeName = (name: string): string => {
  const variable = toVariable(name);
  return `${variable.charAt(0).toUpperCase()}${variable.slice(1)}`;
};
