import ts from 'typescript';
import { blocks, code, table } from './markdown.js';
import { commentOf, openProgram, propertiesOf, typeText } from './typescript-docs.js';

const file = 'runtime/jsx/elements.ts';

export function elementsPage(): string {
  const { checker, exportsOf } = openProgram([file]);
  const elements = exportsOf(file).find(({ name }) => name === 'Elements');
  if (!elements) throw new Error(`${file} does not export Elements.`);
  const sections = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(elements)).map((element) => {
    const properties = propertiesOf(checker.getTypeOfSymbol(element), checker);
    return blocks(
      `## ${element.name}`,
      commentOf(element, checker),
      table(
        ['property', 'type', 'required', 'meaning'],
        properties.map((property) => [
          code(property.name),
          code(typeText(checker.getTypeOfSymbol(property), checker)),
          property.flags & ts.SymbolFlags.Optional ? '' : 'yes',
          commentOf(property, checker),
        ]),
      ),
    );
  });
  return blocks(
    '# Elements',
    'What a component may render, with the properties of each element.',
    ...sections,
  );
}
