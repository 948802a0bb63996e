import ts from 'typescript';

/** By element and property: whether the property can contain markup. */
type ElementTable = Record<string, Record<string, boolean>>;

/**
 * Reads the interface `Elements`, which types the authors' markup, so there is no second list of elements.
 */
export function listMarkupElements(file: string): ElementTable {
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    lib: ['lib.es5.d.ts'],
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const elements = module && checker.getExportsOfModule(module).find(({ name }) => name === 'Elements');
  if (!elements) throw new Error(`${file} does not export Elements.`);

  const propertiesOf = (type: ts.Type): ts.Symbol[] => {
    const variants = type.isUnion() ? type.types : [type];
    return variants.flatMap((variant) => checker.getPropertiesOfType(variant));
  };
  const containsMarkup = (type: ts.Type, seen = new Set<ts.Type>()): boolean => {
    if (seen.has(type)) return false;
    seen.add(type);
    if (type.symbol?.name === 'Markup') return true;
    if (type.isUnionOrIntersection()) return type.types.some((part) => containsMarkup(part, seen));
    if (checker.isArrayType(type))
      return checker.getTypeArguments(type as ts.TypeReference).some((item) => containsMarkup(item, seen));
    if (!(type.flags & ts.TypeFlags.Object)) return false;
    return propertiesOf(type).some((property) => containsMarkup(checker.getTypeOfSymbol(property), seen));
  };

  return Object.fromEntries(
    checker
      .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(elements))
      .map((element) => [
        element.name,
        Object.fromEntries(
          propertiesOf(checker.getTypeOfSymbol(element)).map((property) => [
            property.name,
            containsMarkup(checker.getTypeOfSymbol(property)),
          ]),
        ),
      ]),
  );
}
