// SPDX-License-Identifier: GPL-3.0-or-later
/** Types of TypeScript for the JSON formats, made from the schemas in data/schema. */

/** A description as a comment on the line before. */
function comment({ description }, indent) {
  return description ? `${indent}/** ${description.replaceAll('*/', '* /')} */\n` : '';
}

function object(schema, name, indent) {
  const inner = `${indent}  `, required = new Set(schema.required);
  const lines = Object.entries(schema.properties).map(([key, value]) =>
    `${comment(value, inner)}${inner}${key}${required.has(key) ? '' : '?'}: ${type(value, name, inner)};\n`);

  return `{\n${lines.join('')}${indent}}`;
}

function simple(kind, schema, name, indent) {
  switch (kind) {
  case 'array':
    return schema.items ? `Array<${type(schema.items, name, indent)}>` : 'unknown[]';
  case 'object':
    return schema.properties ? object(schema, name, indent) : 'object';
  case 'integer':
    return 'number';
  default: // string, number, boolean, null
    return kind;
  }
}

/** A property whose type depends on the case, as the evidence of a report does, gets the union of its types in all cases. */
function merged(property, cases) {
  if (property === true)
    return { anyOf: cases };
  if (property.type === 'array' || property.type?.includes?.('array'))
    return property.items?.$ref ? property : { ...property, items: property.items ? merged(property.items, cases.map(({ items }) => items))
      : { anyOf: cases.map(({ items }) => items) } };
  return property;
}

function withCases({ oneOf, ...schema }) {
  const properties = Object.entries(schema.properties).map(([key, value]) => {
    const cases = oneOf.map((part) => part.properties[key]).filter((part) => part !== undefined);

    return [key, cases.length ? merged(value, cases) : value];
  });

  return { ...schema, properties: Object.fromEntries(properties) };
}

/** The type of values that fit the schema; name(definition) is the type of a definition. */
function type(schema, name, indent) {
  const union = (list) => [...new Set(list.map((part) => type(part, name, indent)))].join(' | ');

  if (schema.$ref)
    return name(schema.$ref.replace('#/$defs/', ''));
  if ('const' in schema)
    return JSON.stringify(schema.const);
  if (schema.enum)
    return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.oneOf && schema.properties)
    return type(withCases(schema), name, indent);
  if (schema.anyOf)
    return union(schema.anyOf);
  if (schema.then)
    return union([schema.then, schema.else]);
  if (!schema.type)
    throw new Error(`no type: ${JSON.stringify(schema)}`);
  return [schema.type].flat().map((kind) => simple(kind, schema, name, indent)).join(' | ');
}

const title = (text) => text.split('_').map((word) => word[0].toUpperCase() + word.slice(1)).join('');

/** The types of a schema's definitions, below a prefix: definition open_share of Gate is GateOpenShare, and gate is Gate. */
export function schemaTypes(schema, prefix) {
  const name = (definition) => title(definition) === prefix ? prefix : prefix + title(definition);
  const types = Object.entries(schema.$defs).map(([definition, value]) =>
    `${comment(value, '')}export type ${name(definition)} = ${type(value, name, '')};\n`);

  return types.join('\n');
}
