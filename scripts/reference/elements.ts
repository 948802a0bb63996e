import ts from 'typescript';
import { blocks, code, entries } from './markdown.js';
import { commentOf, openProgram, propertiesOf, typeText } from './typescript-docs.js';

const file = 'runtime/jsx/elements.ts';
const sharedFile = 'runtime/jsx/shared-props.ts';

export function elementsPage(): string {
  const { checker, exportsOf } = openProgram([file, sharedFile]);
  const elements = exportsOf(file).find(({ name }) => name === 'Elements');
  if (!elements) throw new Error(`${file} does not export Elements.`);
  /** The first element with these properties. */
  const listed = new Map<string, string>();
  const sections = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(elements)).map((element) => {
    const properties = propertyList(checker.getTypeOfSymbol(element), checker);
    const before = listed.get(properties);
    if (properties.includes('\n')) listed.set(properties, before ?? element.name);
    return blocks(
      `## ${element.name}`,
      commentOf(element, checker),
      before === undefined ? properties : `It has the properties of [${before}](#${before}).`,
    );
  });
  const types = exportsOf(sharedFile)
    .filter(({ name }) => name !== 'Children')
    .map((type) =>
      blocks(
        `### ${type.name}`,
        commentOf(type, checker),
        propertyList(checker.getDeclaredTypeOfSymbol(type), checker),
      ),
    );
  return blocks(
    '# Elements',
    'A component can render these elements. Names such as `Action` are [types](#types). [Build a block](../guides/blocks.md) uses most of the elements. [Fidelity](../fidelity.md) says how certain they are. `Children` is `string | number | boolean | Markup | MarkupNode[]`.',
    ...sections,
    '## Types',
    ...types,
  );
}

/** Writes the long type of content by its name. */
const withChildren = (type: string): string =>
  type.replace('string | number | boolean | Markup | MarkupNode[]', 'Children');

function propertyList(type: ts.Type, checker: ts.TypeChecker): string {
  const isObject = (part: ts.Type): boolean => (part.flags & ts.TypeFlags.String) === 0;
  const parts = (type.isUnion() ? type.types : [type]).filter(isObject);
  const properties = propertiesOf(type, checker).filter((property) =>
    parts.some((part) => checker.getPropertyOfType(part, property.name) && isOwn(property)),
  );
  // Variants of a union each require a property of their own: the label or the icon of a button.
  const ofVariants = properties
    .map(({ name }) => name)
    .filter((name) => !parts.every((part) => checker.getPropertyOfType(part, name)));
  const required = (property: ts.Symbol): string => {
    if (ofVariants.includes(property.name)) return `one of ${ofVariants.map(code).join(', ')} is required`;
    return property.flags & ts.SymbolFlags.Optional ? '' : 'required';
  };
  return entries(
    properties.map((property) => [
      property.name,
      [code(withChildren(typeText(checker.getTypeOfSymbol(property), checker))), required(property)],
      commentOf(property, checker),
    ]),
  );
}

/**
 * Whether a property belongs to the type itself, rather than being a method of String or a field of `Markup`.
 */
const isOwn = (property: ts.Symbol): boolean =>
  property.declarations?.some((node) => /\/runtime\/jsx\/(?!markup)/.test(node.getSourceFile().fileName)) ??
  false;
